import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { expect, it } from "vitest";
import { check } from "../build/index.js";
import { RULES } from "../rules/index.js";
import { SDK, testApp, toolText } from "../testing/app.js";
import { formatSarif } from "./sarif.js";

/** The schema that OASIS publishes for SARIF 2.1.0. */
function officialSchema(): object {
  const root = path.dirname(createRequire(import.meta.url).resolve("@microsoft/jest-sarif/package.json"));
  return JSON.parse(readFileSync(path.join(root, "lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8")) as object;
}

it("writes logs that the official schema accepts", async () => {
  const root = testApp({
    "agent/tools/a.ts": toolText("return [double(2), Date.now()];", {
      head: 'import { double } from "../../lib/a b";',
    }),
    "lib/a b.ts": 'import os from "node:os";\nexport const double = (n: number) => n * os.cpus().length;\n',
  });
  const { diagnostics } = await check({ root, sdk: SDK, evaluate: false });
  expect(diagnostics.map(({ code }) => code)).toEqual(["EVE2005", "EVE2001"]);
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  // The file names draft 4 of JSON Schema; what it uses of it means the same in draft 7, but for the name of `id`.
  const { $schema: _draft, id: _id, ...schema } = officialSchema() as Record<string, unknown>;
  const validate = ajv.compile(schema);
  for (const found of [diagnostics, []]) {
    const log: unknown = JSON.parse(formatSarif(found, { root, version: "1.0.0", rules: RULES }));
    validate(log);
    expect(validate.errors ?? []).toEqual([]);
  }
  validate({ version: "2.1.0", runs: [{ tool: {} }] });
  expect(validate.errors).not.toEqual([]);
});
