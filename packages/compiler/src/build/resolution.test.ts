import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SDK, testApp, toolText } from "../testing/app.js";
import { runTool } from "../testing/run-tool.js";
import type { Files } from "../testing/temporary.js";
import { build } from "./index.js";

const json = (value: object): string => JSON.stringify(value);
const step = (name: string, result = "1"): string =>
  `export async function ${name}() { "use step"; return ${result}; }\n`;
const body = (result: string, head: string, tail = ""): Files => ({
  "agent/tools/a.ts": toolText(`return ${result};`, { head, tail }),
});
/** An installed package with one module, or several. */
const installed = (name: string, files: Files, fields: object = {}): Files => ({
  [`node_modules/${name}/package.json`]: json({
    name,
    version: "1.0.0",
    type: "module",
    exports: "./index.js",
    ...fields,
  }),
  ...Object.fromEntries(Object.entries(files).map(([file, text]) => [`node_modules/${name}/${file}`, text])),
});
const NATIVE_KIT = installed("kit", {
  "index.js":
    'import fs from "node:fs";\nexport class Reader { read = fs.readFileSync }\nexport const bar = () => 1;\n',
});

/** Links `node_modules/<name>` to a folder of the app. */
function link(root: string, name: string, target: string): void {
  const at = path.join(root, "node_modules", name);
  mkdirSync(path.dirname(at), { recursive: true });
  symlinkSync(path.relative(path.dirname(at), path.join(root, target)), at);
}

interface Works {
  files: Files;
  output: unknown;
  steps?: string[];
  links?: Record<string, string>;
}

const WORKS: Record<string, Works> = {
  "package.json imports": {
    files: {
      "package.json": json({ name: "x", type: "module", imports: { "#lib/*": "./lib/*.ts" } }),
      ...body("[t, await s()]", 'import { t } from "#lib/t";\nimport { s } from "#lib/s";'),
      "lib/t.ts": "export const t = 1;\n",
      "lib/s.ts": step("s"),
    },
    output: [1, 1],
    steps: ["step//./lib/s//s"],
  },
  "the app's own package name": {
    files: {
      "package.json": json({ name: "selfy", type: "module", exports: { "./t": "./lib/t.ts" } }),
      ...body("t", 'import { t } from "selfy/t";'),
      "lib/t.ts": "export const t = 1;\n",
    },
    output: 1,
  },
  "baseUrl and paths of an extended tsconfig": {
    files: {
      "tsconfig.base.json": json({ compilerOptions: { baseUrl: ".", paths: { "~/*": ["lib/*"] } } }),
      "tsconfig.json": json({ extends: "./tsconfig.base.json" }),
      ...body("[t, await s()]", 'import { t } from "~/t";\nimport { s } from "lib/s";'),
      "lib/t.ts": "export const t = 1;\n",
      "lib/s.ts": step("s"),
    },
    output: [1, 1],
    steps: ["step//./lib/s//s"],
  },
  "every kind of module that TypeScript knows, in bodies and in steps": {
    files: {
      ...body(
        "[plain(1), await planStep(), common.twice(2), await wide([3]), same(4)]",
        `import { plain, planStep } from "../../lib/plain.mjs";
import common = require("../../lib/common.cjs");
import { same, wide } from "../../lib/wide.jsx";`,
      ),
      "lib/plain.mts": `import { Size } from "./size.js";
export const plain = (n: number): number => n + Size.One;
${step("planStep", "plain(10)")}`,
      "lib/size.ts": "export enum Size { One = 1, Two }\n",
      "lib/common.cts": "const twice = (n: number): number => n * 2;\nexport = { twice };\n",
      "lib/wide.tsx": `export const same = <T,>(value: T): T => value;
export async function wide<T extends unknown[]>(list: T) { "use step"; return same<T>(list); }
`,
    },
    output: [2, 11, 4, [3], 4],
    steps: ["step//./lib/plain//planStep", "step//./lib/wide//wide"],
  },
  "barrels that import each other": {
    files: {
      ...body("[await a(), await b(), both()]", 'import { a, b, both } from "../../lib/one";'),
      "lib/one/index.ts": 'export * from "./a";\nexport { b } from "../two";\nexport * from "./both";\n',
      "lib/one/a.ts": `import { base } from "../two";\n${step("a", "base + 1")}`,
      "lib/one/both.ts": 'import * as two from "../two";\nexport const both = () => two.base + two.own;\n',
      "lib/two/index.ts": 'export * from "./b";\nexport const base = 1;\nexport { own } from "./own";\n',
      "lib/two/b.ts": `import { a } from "../one";\n${step("b", "await a()")}`,
      "lib/two/own.ts": "export const own = 5;\n",
    },
    output: [2, 2, 6],
    steps: ["step//./lib/one/a//a", "step//./lib/two/b//b"],
  },
  ".js and .mjs written for .ts and .mts": {
    files: {
      ...body(
        "[await s(), await m()]",
        'import { s } from "../../lib/s.js";\nimport { m } from "../../lib/m.mjs";',
      ),
      "lib/s.ts": step("s"),
      "lib/m.mts": step("m"),
    },
    output: [1, 1],
    steps: ["step//./lib/s//s", "step//./lib/m//m"],
  },
  "a cycle of modules with steps": {
    files: {
      ...body("[a(), await s()]", 'import { a, s } from "../../lib/a";'),
      "lib/a.ts": `import { b } from "./b";\nexport const a = () => b();\n${step("s")}`,
      "lib/b.ts": 'import { s } from "./a";\nexport const b = () => typeof s;\n',
    },
    output: ["function", 1],
    steps: ["step//./lib/a//s"],
  },
  "CommonJS of the app in a body": {
    files: {
      ...body("m.twice(2)", 'import m from "../../lib/m.cjs";'),
      "lib/m.cjs": "exports.twice = (n) => n * 2;\n",
    },
    output: 4,
  },
  "CommonJS globals in a step's module": {
    files: {
      ...body(
        "await s()",
        'import { w } from "../../lib/w.cjs";',
        'async function s() { "use step"; return w; }',
      ),
      "lib/w.cjs": "exports.w = typeof require('node:path').sep + typeof __filename;\n",
    },
    output: "stringstring",
    steps: ["step//./agent/tools/a//s"],
  },
  "__dirname of the author's own": {
    files: body(
      "await s()",
      "",
      'const __dirname = new URL(".", import.meta.url).protocol;\nasync function s() { "use step"; return __dirname; }',
    ),
    output: "file:",
    steps: ["step//./agent/tools/a//s"],
  },
  "JSX by the tsconfig, in bodies and in steps": {
    files: {
      "tsconfig.json": json({ compilerOptions: { jsx: "react", jsxFactory: "h" } }),
      "agent/tools/a.tsx": toolText("return [<b />, await s()];", {
        head: 'import { h } from "../../lib/h";\nimport { s } from "../../lib/s";',
      }),
      "lib/h.ts": "export const h = (t: string) => `<${t}>`;\n",
      "lib/s.tsx": 'import { h } from "./h";\nexport async function s() { "use step"; return <i />; }\n',
    },
    output: ["<b>", "<i>"],
    steps: ["step//./lib/s//s"],
  },
  "an app that declares no side effects": {
    files: {
      "package.json": json({ name: "x", type: "module", sideEffects: false }),
      "tsconfig.json": json({ compilerOptions: { jsx: "react", jsxFactory: "h" } }),
      ...body("await s()", 'import { s } from "../../lib/s";'),
      "lib/h.ts": "export const h = (t: string) => `<${t}>`;\n",
      "lib/s.tsx": 'import { h } from "./h";\nexport async function s() { "use step"; return <i />; }\n',
    },
    output: "<i>",
    steps: ["step//./lib/s//s"],
  },
  "a type and a value of a package with builtins": {
    files: {
      ...NATIVE_KIT,
      ...body("((r: Reader | null) => bar())(null)", 'import { Reader, bar } from "kit";'),
    },
    output: 1,
  },
  "a barrel in front of a package with builtins": {
    files: {
      ...NATIVE_KIT,
      ...body("bar()", 'import { bar } from "../../lib";'),
      "lib/index.ts": 'export * from "kit";\n',
    },
    output: 1,
  },
  "named imports of JSON": {
    files: { ...body("usd", 'import { usd } from "../../lib/r.json";'), "lib/r.json": json({ usd: 2 }) },
    output: 2,
  },
  "a package with directives and its own dependencies": {
    files: {
      ...body("await k()", 'import { k } from "kit";'),
      ...installed("kit", {
        "index.js": 'import dep from "dep";\nexport async function k() { "use step"; return dep; }\n',
      }),
      ...installed("dep", { "index.js": "module.exports = 'd';\n" }, { type: "commonjs" }),
    },
    output: "d",
    steps: ["step//kit@1.0.0//k"],
  },
  "a package with directives behind one without": {
    files: {
      ...body("await k()", 'import { k } from "outer";'),
      ...installed("outer", { "index.js": 'export * from "kit";\n' }),
      ...installed("kit", { "index.js": step("k") }),
    },
    output: 1,
    steps: ["step//kit@1.0.0//k"],
  },
  "a dependency that only a workspace package can reach": {
    files: {
      ...body("await s()", 'import { k } from "@w/p";', 'async function s() { "use step"; return k(); }'),
      "packages/p/package.json": json({ name: "@w/p", version: "1.0.0", type: "module", exports: "./i.ts" }),
      "packages/p/i.ts": 'import dep from "dep";\nexport const k = () => dep;\n',
      "packages/p/node_modules/dep/package.json": json({ name: "dep", version: "2.0.0", main: "i.js" }),
      "packages/p/node_modules/dep/i.js": "const o = 'o'; module.exports = typeof require(o + 's').EOL;\n",
    },
    links: { "@w/p": "packages/p" },
    output: "string",
    steps: ["step//./agent/tools/a//s"],
  },
  "an entry point behind a namespace and barrels": {
    files: {
      "agent/tools/a.ts": `import { defineWorkflowTool } from "eve/tools";
import * as flows from "../../lib";
export default defineWorkflowTool({ description: "d", inputSchema: { type: "object" }, execute: flows.go });
`,
      "lib/index.ts": 'export * from "./go";\n',
      "lib/go.ts": 'export async function go() { "use workflow"; return "gone"; }\n',
    },
    output: "gone",
  },
};

describe("what resolves", () => {
  it.each(Object.entries(WORKS))("runs with %s", async (_name, { files, output, steps = [], links = {} }) => {
    const root = testApp(files);
    for (const [name, target] of Object.entries(links)) link(root, name, target);
    const { diagnostics } = await build({ root, sdk: SDK, evaluate: false });
    expect(diagnostics).toEqual([]);
    expect(await runTool(root, "a")).toEqual({ output, steps });
  });
});

const FAULTS: Record<string, [files: Files, findings: string[]]> = {
  "an alias that leads nowhere, with what was tried": [
    {
      "tsconfig.json": json({ compilerOptions: { paths: { "~/*": ["./lib/*", "./src/*"] } } }),
      ...body("t", 'import { t } from "~/nope";'),
    },
    ["EVE1201 agent/tools/a.ts:2:19 Tried lib/nope, src/nope."],
  ],
  "a package that isn't installed, on the step side": [
    body("await s()", "", 'import p from "left-pad";\nasync function s() { "use step"; return p; }'),
    ["EVE1201 agent/tools/a.ts:11:15 Correct the specifier, install the package"],
  ],
  "a name that isn't exported": [
    { ...body("nope()", 'import { nope } from "../../lib/t";'), "lib/t.ts": "export const t = 1;\n" },
    ["EVE1201 agent/tools/a.ts:2:10 Correct the name"],
  ],
  "a file without a loader, once for both bundles": [
    { ...body("p", 'import p from "../../lib/p.md";'), "lib/p.md": "# hi" },
    ['EVE1203 agent/tools/a.ts:2:15 Write with { type: "text" }'],
  ],
  "a top-level await that reaches a body": [
    {
      ...body("x", 'import { x } from "../../lib/x";'),
      "lib/x.ts": "export const x = await Promise.resolve(1);\n",
    },
    ["EVE1203 lib/x.ts:1:18 Move what needs the await"],
  ],
  "a builtin inside a package": [
    { ...NATIVE_KIT, ...body("new Reader()", 'import { Reader } from "kit";') },
    ["EVE2001 agent/tools/a.ts:2:1 Call Reader"],
  ],
  "a syntax error that only steps import": [
    {
      ...body(
        "await s()",
        "",
        'import { t } from "../../lib/t";\nasync function s() { "use step"; return t; }',
      ),
      "lib/t.ts": "export const t = ;\n",
    },
    ["EVE1000 lib/t.ts:1:18 "],
  ],
  "a typo in a module that is imported for its effects": [
    { ...body("1", 'import "../../lib/t";'), "lib/t.ts": 'export async function t() {\n  "use  step";\n}\n' },
    ["EVE1002 lib/t.ts:2:3 Write"],
  ],
  "definition modules without a default export": [
    {
      ...body("1", ""),
      "agent/agent.ts": "export const agent = 1;\n",
      "agent/channels/web.ts": "export const channel = 1;\n",
      "agent/subagents/sub/schedules/nightly.ts": "export const schedule = 1;\n",
    },
    [
      "EVE1201 agent/agent.ts:1:1 ",
      "EVE1201 agent/channels/web.ts:1:1 ",
      "EVE1201 agent/subagents/sub/schedules/nightly.ts:1:1 ",
    ],
  ],
  "a path that a package doesn't export": [
    {
      ...NATIVE_KIT,
      ...body("await s()", "", 'import { x } from "kit/nope";\nasync function s() { "use step"; return x; }'),
    },
    ["EVE1201 agent/tools/a.ts:11:19 "],
  ],
  "two functions with one id": [
    {
      ...body(
        "[await x(), await y()]",
        'import { s as x } from "../../lib/s.js";\nimport { s as y } from "../../lib/s.mjs";',
      ),
      "lib/s.js": step("s"),
      "lib/s.mjs": step("s"),
    },
    ["EVE1101 lib/s.mjs:1:23 Rename"],
  ],
};

describe("what doesn't", () => {
  it.each(Object.entries(FAULTS))("reports %s", async (_name, [files, findings]) => {
    const { diagnostics, ok } = await build({ root: testApp(files), sdk: SDK, evaluate: false });
    expect(ok).toBe(false);
    const shown = diagnostics.map(
      ({ code, file, line, column, help = "" }) => `${code} ${file}:${line}:${column} ${help}`,
    );
    expect(shown).toEqual(
      findings.map((start) =>
        expect.stringMatching(new RegExp(`^${start.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`)),
      ),
    );
  });
});
