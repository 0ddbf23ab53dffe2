import { expect, test } from "vitest";
import { hideFolders } from "./hide-folders.js";

test.each([
  ["in /srv/my app/b1/server.mjs:3", "in server.mjs:3"],
  ["file:///srv/my%20app/b1/server.mjs", "server.mjs"],
  ["'/srv/node_modules/pg/x.js' and file:///srv/node_modules/@s/y/i.js", "'pg/x.js' and @s/y/i.js"],
  ["(/srv/node_modules/pg/x.js:1:2)", "(pg/x.js:1:2)"],
  ["C:\\app\\node_modules\\pg\\x.js", "pg\\x.js"],
  [
    "see https://unpkg.com/node_modules/pg and ./node_modules/pg",
    "see https://unpkg.com/node_modules/pg and ./node_modules/pg",
  ],
  [
    "ENOENT: no such file or directory, open '/data/orders.csv'",
    "ENOENT: no such file or directory, open '/data/orders.csv'",
  ],
])("%s", (text, hidden) => expect(hideFolders(text, "/srv/my app/b1")).toBe(hidden));
