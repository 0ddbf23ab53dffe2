import { expect, test } from "vitest";
import { SDK, testApp, toolText } from "../testing/app.js";
import { check } from "./index.js";

test("a file that fails keeps no other file from being checked", async () => {
  const root = testApp({
    "agent/tools/broken.ts": "export default defineWorkflowTool({",
    "agent/tools/uses-broken.ts": toolText("return [await save(), process.env.A, readFileSync('a')];", {
      head: 'import { readFileSync } from "node:fs";\nimport { save } from "../../lib/broken";',
    }),
    "lib/broken.ts": 'export async function save() { "use step"; return (; }\n',
    "agent/tools/lost.ts": toolText("return process.env.B;", { head: 'import "./gone";\nimport "nowhere";' }),
    "agent/tools/lost-step.ts": toolText("return [await far(), process.env.C];", {
      head: 'import { gone } from "../../lib/gone";',
      tail: 'async function far() { "use step"; return gone; }',
    }),
    "agent/tools/misspelt.ts": toolText("return process.env.D;").replace("use workflow", "use-workflow"),
    "agent/tools/throws.ts": toolText("return 1;").replace(
      "export default",
      'if (globalThis.Boolean(1)) throw new Error("no database");\nexport default',
    ),
    "agent/tools/2bad.ts": toolText("return 1;"),
  });
  const { diagnostics } = await check({ root, sdk: SDK });
  expect(diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`)).toEqual([
    "EVE1103 agent/tools/2bad.ts:1:1",
    "EVE1000 agent/tools/broken.ts:1:36",
    "EVE1201 agent/tools/lost-step.ts:2:22",
    "EVE2002 agent/tools/lost-step.ts:8:26",
    "EVE1201 agent/tools/lost.ts:2:8",
    "EVE1201 agent/tools/lost.ts:3:8",
    "EVE2002 agent/tools/lost.ts:9:12",
    "EVE1002 agent/tools/misspelt.ts:7:5",
    "EVE2002 agent/tools/misspelt.ts:8:12",
    "EVE1010 agent/tools/throws.ts:4:16",
    "EVE2001 agent/tools/uses-broken.ts:2:1",
    "EVE2002 agent/tools/uses-broken.ts:9:27",
    "EVE1000 lib/broken.ts:1:52",
  ]);
});

test("a package that many modules miss is one finding, with a note for each other module", async () => {
  const head = 'import { z } from "not-there";\nimport { y } from "not-there";';
  const root = testApp({
    "agent/tools/a.ts": toolText("return [z, y, await first()];", {
      head: `${head}\nimport { first } from "../../lib/first";`,
    }),
    "agent/tools/b.ts": toolText("return z;", { head }),
    "lib/first.ts": `${head}\nexport async function first() { "use step"; return [z, y]; }\n`,
  });
  const { diagnostics } = await check({ root, sdk: SDK });
  expect(diagnostics).toMatchObject([
    {
      code: "EVE1201",
      file: "agent/tools/a.ts",
      line: 2,
      message: '"not-there", imported by agent/tools/a.ts, can\'t be resolved.',
      notes: [
        { message: "also imported by agent/tools/b.ts", file: "agent/tools/b.ts", line: 2, column: 19 },
        { message: "also imported by lib/first.ts", file: "lib/first.ts", line: 1, column: 19 },
      ],
    },
  ]);
});

const UNPARSED = [
  ["a tool", "agent/tools/a.ts", toolText("return (1;")],
  [
    "a plain tool",
    "agent/tools/a.ts",
    'import { defineTool } from "eve/tools";\nexport default defineTool({',
  ],
  ["the agent", "agent/agent.ts", "export default {"],
  ["a module with steps", "lib/a.ts", 'export async function load( { "use step"; }\n'],
  ["a module without", "lib/a.ts", "export const load = (;\n"],
  ["a module that only steps import", "lib/b.ts", "export const deep = (;\n"],
] as const;

test.each(UNPARSED)("%s that doesn't parse is the only finding", async (_, file, text) => {
  for (const type of ["module", "commonjs"]) {
    const root = testApp({
      "package.json": JSON.stringify({ name: "case-app", type }),
      "agent/tools/z.ts": toolText("return [await load(), all];", {
        head: 'import { load } from "../../lib/a";\nimport * as all from "../../lib/a";\nexport { other } from "../../lib/a";',
      }),
      "lib/a.ts":
        'import { deep } from "./b";\nexport const other = 1;\nexport async function load() { "use step"; return deep; }\n',
      "lib/b.ts": "export const deep = 1;\n",
      [file]: text,
    });
    const { diagnostics } = await check({ root, sdk: SDK });
    expect(diagnostics.map((finding) => `${finding.code} ${finding.file}`)).toEqual([`EVE1000 ${file}`]);
  }
});
