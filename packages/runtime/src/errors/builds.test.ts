import { expect, test } from "vitest";
import { BuildImportError } from "./builds.js";

const FILE = "/srv/secret app/.eve/data/builds/b1/server.mjs";

test.each([
  [
    "Cannot find package 'pg' imported from /srv/secret app/.eve/data/builds/b1/server.mjs",
    "Cannot find package 'pg' imported from server.mjs",
  ],
  [
    "Cannot find module '/srv/secret/node_modules/pg/lib/x.js' imported from /srv/secret/node_modules/pg/index.js",
    "Cannot find module 'pg/lib/x.js' imported from pg/index.js",
  ],
  [
    "Unexpected token in file:///srv/secret%20app/.eve/data/builds/b1/server.mjs:3",
    "Unexpected token in server.mjs:3",
  ],
  ["DATABASE_URL is missing", "DATABASE_URL is missing"],
])("%s: no folder of the machine is told", (reason, told) => {
  const error = new BuildImportError(FILE, new Error(reason));
  expect(error.message).toBe(`The app's code failed while it was loaded: ${told}`);
  expect(error.code).toBe("BUILD_IMPORT");
});
