import { describe, expect, test } from "vitest";
import { analyseModule } from "../analysis/index.js";
import type { Slice } from "../types.js";
import { sliceModule, type SliceOptions } from "./index.js";

const RUN = 'export async function run() { "use workflow"; ';

function slice(text: string, options: Partial<SliceOptions> = {}): { kept: string[]; slice: Slice } {
  const analysis = analyseModule(text, { file: "a.ts" });
  expect(analysis.diagnostics).toEqual([]);
  const result = sliceModule(analysis, { workflows: "all", exports: new Set(), ...options });
  const kept = result.units.map((unit) => {
    const { start, end } = analysis.units[unit] ?? { start: 0, end: 0 };
    return text.slice(start, end).replace(/\s+/g, " ");
  });
  return { kept, slice: result };
}

describe("what a slice keeps", () => {
  test("workflow functions and what they use, to a fixed point", () => {
    const { kept, slice: result } = slice(`
import { a, unused } from "./a";
import "./effect";
const b = () => a;
const c = 1;
${RUN}return b(); }
`);
    expect(kept).toEqual(['import { a, unused } from "./a";', "const b = () => a;", `${RUN}return b(); }`]);
    expect(result.imports).toEqual([{ index: 0, names: ["a"] }]);
    expect(result.bindings).toEqual(["a", "b", "run"]);
  });

  test("steps as proxies, without what their bodies use", () => {
    const { kept, slice: result } = slice(`
import fs from "node:fs";
const KEY = "secret";
async function step() { "use step"; return fs.existsSync(KEY); }
async function other() { "use step"; }
${RUN}return step(); }
`);
    expect(kept).toEqual([
      'async function step() { "use step"; return fs.existsSync(KEY); }',
      `${RUN}return step(); }`,
    ]);
    expect(result.steps).toEqual([0]);
    expect(result.imports).toEqual([]);
  });

  test("needed exports, under their outside names", () => {
    const text = "const a = 1, b = 2;\nexport { a as x, b as default };\nexport const c = 3;\n";
    expect(slice(text, { exports: new Set(["x"]) }).slice.exports).toEqual([0]);
    expect(slice(text, { exports: new Set(["default", "c"]) }).slice.exports).toEqual([1, 2]);
    expect(slice(text, { exports: "all" }).slice.exports).toEqual([0, 1, 2]);
    expect(slice(text).kept).toEqual([]);
  });

  test("the default export of a tool only when it is asked for", () => {
    const text =
      'import { defineWorkflowTool } from "eve/tools";\nexport default defineWorkflowTool({ async execute() { "use workflow"; } });\n';
    expect(slice(text, { exports: "all" }).slice).toMatchObject({ units: [2], exports: [], imports: [] });
    expect(slice(text, { exports: new Set(["default"]) }).slice).toMatchObject({
      units: [0, 1, 2],
      exports: [0],
    });
  });

  test("workflows by name", () => {
    const text = `${RUN}}\nexport async function other() { "use workflow"; }\n`;
    expect(slice(text, { workflows: ["other"] }).slice.workflows).toEqual([1]);
  });

  test("nothing for types", () => {
    const { kept } = slice(`
import { Db } from "./db";
interface Row { db: Db }
class Table {}
${RUN}let row: Row | Table | undefined; return row satisfies typeof Db | undefined; }
`);
    expect(kept).toHaveLength(1);
  });

  test("all declarations of a merged name", () => {
    expect(
      slice(`namespace N { export const a = 1; }\nnamespace N { export const b = a; }\n${RUN}return N.b; }`)
        .kept,
    ).toHaveLength(3);
  });

  test("statements whose blocks and loops declare a var", () => {
    const text = `try { var impl = load(); } catch { var impl = 1; }\nfor (var [i, { n }] of []) {}\n{ let i = 1; var own = 2; }\nfunction load() {}\n`;
    expect(slice(`${text}${RUN}return impl; }`).kept).toEqual([
      expect.stringMatching(/^try/),
      "function load() {}",
      expect.anything(),
    ]);
    expect(slice(`${text}${RUN}return [i, n]; }`).kept).toEqual([
      expect.stringMatching(/^for/),
      expect.anything(),
    ]);
    expect(slice(`${text}${RUN}return own; }`).kept).toEqual([
      expect.stringMatching(/^\{ let/),
      expect.anything(),
    ]);
  });

  test("names of re-exports and of export * that may come from there", () => {
    const text =
      'export { a as b, c } from "./one";\nexport * from "./two";\nexport * as ns from "./three";\n';
    expect(slice(text, { exports: new Set(["b", "d"]) }).slice.imports).toEqual([
      { index: 0, names: ["a"] },
      { index: 1, names: ["d"] },
    ]);
    expect(slice(text, { exports: new Set(["ns"]) }).slice.imports).toEqual([{ index: 2, names: ["*"] }]);
    expect(slice(text, { exports: "all" }).slice.imports[1]).toEqual({ index: 1, names: ["*"] });
  });

  test("members of a namespace, unless the namespace itself goes somewhere", () => {
    const head = 'import * as ns from "./a";\n';
    expect(slice(`${head}${RUN}return ns.a + ns["b"]; }`).slice.imports).toEqual([
      { index: 0, names: ["a", "b"] },
    ]);
    expect(slice(`${head}${RUN}return [ns.a, ns]; }`).slice.imports).toEqual([{ index: 0, names: ["*"] }]);
    expect(slice(`${head}const step = ns;\n${RUN}return step; }`).slice.imports).toEqual([
      { index: 0, names: ["*"] },
    ]);
  });

  test("loads in kept code", () => {
    const text = `${RUN}return [import("./a"), require("./b")]; }\nasync function s() { "use step"; return import("./c"); }\n`;
    expect(slice(text).slice.imports.map(({ index }) => index)).toEqual([0, 1]);
  });
});

describe("statements that write to kept state", () => {
  test.each<[string, string, boolean]>([
    ["assignment", "state.a = 1;", true],
    ["assignment to the binding", "state = {};", true],
    ["computed member", "state[key] = 1;", true],
    ["destructuring", "[state.a] = [1];", true],
    ["update", "state.n++;", true],
    ["delete", "delete state.a;", true],
    ["method call", 'state.use("x");', true],
    ["deep method call", "state.a.b.push(1);", true],
    ["Object.assign", "Object.assign(state, { a: 1 });", true],
    ["Object.freeze", "Object.freeze(state);", true],
    ["Object.defineProperty", "Object.defineProperty(state.a, 'b', {});", true],
    ["loop", "for (const k of [1]) state[k] = k;", true],
    ["condition", "if (flag) { state.a = 1; }", true],
    ["callback that runs at once", "[1].forEach((n) => { state.n = n; });", true],
    ["function called at load", "init();", true],
    ["declaration with a mutator", "const x = state.push(1);", true],
    ["static block", "class X { static { state.a = 1; } }", true],
    ["declaration that only reads", "const x = state.map((n) => n);", false],
    ["function that nobody calls", "const later = () => { state.a = 1; };", false],
    ["handler that is stored", "stored.handler = () => { state.a = 1; };", false],
    ["argument", "register(state);", false],
    ["second argument of Object.assign", "Object.assign(stored, state);", false],
    ["other state", "stored.a = 1;", false],
    ["a local of the same name", "{ let state: any; state.a = 1; }", false],
  ])("%s: %s", (_, statement, kept) => {
    const text = `let state: any = [];\nconst stored: any = {};\ndeclare const key: string, flag: boolean;\nfunction init() { fill(); }\nfunction fill() { state.a = 1; }\nfunction register(x: unknown) {}\n${statement}\n${RUN}return state; }`;
    expect(slice(text).kept.includes(statement)).toBe(kept);
  });

  test("writes to a step stay on the step side", () => {
    const { kept } = slice(
      `async function step() { "use step"; }\nstep.maxRetries = 5;\nObject.assign(step, { a: 1 });\n${RUN}return step(); }`,
    );
    expect(kept).toHaveLength(2);
  });

  test("what they use is kept, too, and what writes to that", () => {
    const { kept } = slice(`const a: any = {};\nconst b: any = {};\na.b = b;\nb.c = 1;\n${RUN}return a; }`);
    expect(kept).toHaveLength(5);
  });

  test("imports that are kept elsewhere count when the caller says so", () => {
    const text = 'import { registry } from "./registry";\nregistry.add("x");\nexport const y = 1;\n';
    expect(slice(text, { exports: new Set(["y"]) }).kept).toEqual(["export const y = 1;"]);
    const { slice: result } = slice(text, { exports: new Set(["y"]), keptImports: new Set(["registry"]) });
    expect(result.units).toEqual([0, 1, 2]);
    expect(result.imports).toEqual([{ index: 0, names: ["registry"] }]);
  });

  test("state that is handed to a call is told", () => {
    const { slice: result } = slice(
      `const state = {};\nconst LIMIT = 1;\nprepare(state, LIMIT);\nfunction prepare(..._: unknown[]) {}\n${RUN}return [state, LIMIT]; }`,
    );
    expect(result.passed.map(({ name }) => name)).toEqual(["state"]);
  });
});

test.each<[string, string[], string[]]>([
  ["exports.a = a;", ["a"], ["async function a", "exports.a = a;"]],
  ["exports.a = a;", ["b"], []],
  ["exports.a = a;", ["default"], ["async function a", "exports.a = a;"]],
  ["module.exports.b = () => fs;", ["b"], ["const fs", "module.exports.b"]],
  ["module.exports = { a, b: () => fs };", ["a"], ["const fs", "async function a", "module.exports = "]],
  ['Object.defineProperty(exports, "a", { value: a });', ["a"], ["async function a", "Object.define"]],
  [
    "if (x) { exports.a = a; exports.b = fs; }\nvar x = 1;",
    ["a"],
    ["const fs", "async function a", "if (x)", "var x"],
  ],
])("CommonJS: %s for %j", (text, exports, expected) => {
  const source = `const fs = require("fs");\nrequire("./effect");\nasync function a() { "use step"; return fs; }\n${text}`;
  const analysis = analyseModule(source, { file: "a.cjs" });
  const { units } = sliceModule(analysis, { workflows: "all", exports: new Set(exports) });
  const kept = units.map((unit) => source.slice(analysis.units[unit]?.start, analysis.units[unit]?.end));
  expect(kept).toHaveLength(expected.length);
  expected.forEach((start, index) =>
    expect(kept[index]).toMatch(new RegExp(`^${start.replace(/[{}()[\].]/g, "\\$&")}`)),
  );
});

test("export = gives every name", () => {
  const text =
    'import fs = require("node:fs");\nasync function a() { "use step"; return fs; }\nexport = { a };\n';
  expect(slice(text, { exports: new Set(["a"]) }).slice.units).toEqual([1, 2]);
  expect(slice(text, { exports: "all" }).slice.units).toEqual([1, 2]);
  expect(slice(text).slice.units).toEqual([]);
});

test("reasons lead back to the workflow", () => {
  const analysis = analyseModule(`const a = 1;\nconst b = () => a;\n${RUN}return b(); }`, { file: "a.ts" });
  const { units, reasons } = sliceModule(analysis, { workflows: "all", exports: new Set() });
  expect(units).toEqual([0, 1, 2]);
  expect(reasons).toMatchObject([
    { by: "use", unit: 1, name: "a" },
    { by: "use", unit: 2, name: "b" },
    { by: "workflow", directive: 0 },
  ]);
});
