import { describe, expect, test } from "vitest";
import { analyse } from "../testing/analyse.js";
import { analyseModule } from "./index.js";

/** Names that units use, by unit: what slicing goes by. */
function uses(text: string, file?: string): Record<string, string[]> {
  const { units, diagnostics } = analyse(text, file);
  expect(diagnostics.filter((finding) => finding.code === "EVE1000")).toEqual([]);
  return Object.fromEntries(
    units
      .filter((unit) => unit.declares.length > 0 && unit.shape !== "import")
      .map((unit) => [unit.declares.join(), [...new Set(unit.uses.map((use) => use.name))].sort()]),
  );
}

function globals(text: string): string[] {
  return analyse(text).units.flatMap((unit) => unit.globals.map((use) => `${use.use} ${use.path}`));
}

describe("bindings", () => {
  test.each<[string, string, string[]]>([
    ["parameters shadow", "const f = (a: number) => a;", []],
    ["parameter defaults see the outside", "const f = (x = a) => x;", ["a"]],
    ["a parameter default doesn't see the body's var", "function f(x = a) { var a = 1; return x; }", ["a"]],
    ["var hoists through blocks", "function f() { if (a) { var a = 1; } }", []],
    ["let stays in its block", "function f() { { let a = 1; } return a; }", ["a"]],
    ["a function in a block stays there", "function f() { { function a() {} } return a; }", ["a"]],
    ["catch parameters shadow", "function f() { try {} catch ({ a }) { return a; } }", []],
    ["loops have scopes", "function f() { for (const a of []) a; for (let a = 0; ; ) a; return 1; }", []],
    [
      "switch cases share a scope",
      "function f(x: number) { switch (x) { case 1: let a; default: return a; } }",
      [],
    ],
    ["destructuring declares and reads", "function f({ [a]: x = b } = {}) { return x; }", ["a", "b"]],
    [
      "destructuring assignment writes",
      "function f() { [a.x, ...b] = []; ({ k: c, d } = {} as any); }",
      ["a", "b", "c", "d"],
    ],
    ["labels are no names", "function f() { a: for (;;) { break a; } }", []],
    ["keys are no names", "const f = { a: 1, b() {}, get c() { return 1; } };", []],
    ["shorthand is one", "const f = { a };", ["a"]],
    ["computed keys are", "const f = { [a]: 1, [b]() {} };", ["a", "b"]],
    ["members are no names", "const f = (x: any) => x.a?.b['c'];", []],
    ["computed members are", "const f = (x: any) => x[a];", ["a"]],
    ["function expressions know themselves", "const f = function a() { return a; };", []],
    ["class expressions know themselves", "const f = class a { x = a; };", []],
    [
      "class members are no names",
      "class f { a = 1; b() {} #c = 2; static d; get() { return this.a + this.#c; } }",
      [],
    ],
    ["class heritage is a name", "class f extends a {}", ["a"]],
    ["decorators are names", "@a class f { @b.c m() {} }", ["a", "b"]],
    ["static blocks have a scope", "class f { static { var a = 1; a; } }", []],
    ["arguments is no name", "function f() { return arguments; }", []],
    [
      "types are no uses",
      "function f(x: a, y: typeof b): c is d { return <any>x as unknown as Array<d> satisfies a; }",
      [],
    ],
    [
      "generics are no uses",
      "function f<T extends a = b>(x: T) { return g<c>(x); }\nconst g = <T,>(x: T) => x;",
      ["g"],
    ],
    ["implements is no use", "class f implements a, b<c> {}", []],
    ["parameter properties", "class f { constructor(private a: number, b = c) {} }", ["c"]],
    ["enum members see each other", "enum f { a = 1, x = a << b }", ["b"]],
    ["merged enums see each other", "enum f { a = 1 }\nenum f { y = a }", []],
    ["namespaces see their own", "namespace f { const a = 1; export const x = a + b; }", ["b"]],
    [
      "merged namespaces see exports only",
      "namespace f { export const a = 1; const b = 2; }\nnamespace f { export const x = a + b; }",
      ["b"],
    ],
    ["import aliases", "import f = a.b.c;", ["a"]],
    ["templates", "const f = `${a}` + String.raw`${b}`;", ["a", "b"]],
    ["new.target is no name", "function f() { return new.target; }", []],
    ["decorators of parameters", "class f { m(@a x = 1, @b { y } = {}) {} }", ["a", "b"]],
    ["using", "function f() { using a = b; return a; }", ["b"]],
  ])("%s", (_, declaration, expected) => {
    const rest = "let a: any, b: any, c: any, d: any;";
    const found = uses(`${declaration}\n${rest}`);
    expect(found["f"]).toEqual(expected);
  });

  test("JSX names are uses when they are upper-case or members", () => {
    const found = uses(
      "const f = <a.b x={c}><Box {...d} /><div /><data-x /></a.b>;\nlet a, b, c, d, Box, div;",
      "a.tsx",
    );
    expect(found["f"]).toEqual(["Box", "a", "c", "d"]);
  });

  test("JSX uses what it compiles to, by pragma, option and default", () => {
    const source = "import { h, Frag, React } from 'x';\nconst f = <p />;\n";
    const used = (text: string, jsx?: string[]): string[] =>
      analyseModule(text, { file: "a.tsx", ...(jsx ? { jsx } : {}) }).units[1]?.uses.map((use) => use.name) ??
      [];
    expect(used(source)).toEqual(["React"]);
    expect(used(source, ["h", "Frag"])).toEqual(["h", "Frag"]);
    expect(used(source, [])).toEqual([]);
    expect(used(`/** @jsx h */\n${source}`, ["React.createElement", "Frag"])).toEqual(["h", "Frag"]);
    expect(used(`/** @jsxRuntime automatic */\n${source}`)).toEqual([]);
  });

  test("duplicate declarations that TypeScript allows are one binding", () => {
    const text =
      "function f(a: string): void;\nfunction f(a: number): void;\nfunction f() {}\nnamespace f { export const x = 1; }\ninterface f {}\nclass C {}\ninterface C {}\nnamespace C {}\nenum E { A }\nenum E { B = 1 }\nfunction E2() {}\n";
    expect(analyse(text).diagnostics).toEqual([]);
    expect(analyse(text).names).toEqual(["C", "E", "E2", "f"]);
  });
});

describe("globals", () => {
  test.each<[string, string[]]>([
    ["process.env.HOME;", ["read process.env.HOME"]],
    ["globalThis.process['env'];", ["read process.env"]],
    ["Date.now(); new Date(); Date();", ["call Date.now", "new Date", "call Date"]],
    ["const D = Date; new D(); D.now();", ["read Date", "new Date", "call Date.now"]],
    ["const { now: n, ...rest } = Date; n();", ["read Date", "call Date.now"]],
    ["const M = Math; const { random } = M; random();", ["read Math", "call Math.random"]],
    ["function f() { const t = setTimeout; t(); }", ["read setTimeout", "call setTimeout"]],
    ["let M = { random() {} }; const { random } = M; random();", []],
    ["import.meta.url; import.meta;", ["read import.meta.url", "read import.meta"]],
    ["declare const process: { env: string }; process.env;", ["read process.env"]],
    ["const f = (process: any, Date: any) => [process.env, new Date()];", []],
    ["x.toLocaleString(); let x: any;", ["call *.toLocaleString"]],
    ["type T = typeof process; let x: Date;", []],
  ])("%s", (text, expected) => {
    expect(globals(text)).toEqual(expected);
  });

  test("typeof alone is harmless", () => {
    const [unit] = analyse("typeof process; typeof process.env;").units;
    const [, second] = analyse("typeof process; typeof process.env;").units;
    expect(unit?.globals[0]?.typeofOnly).toBe(true);
    expect(second?.globals[0]?.typeofOnly).toBeUndefined();
  });
});

describe("imports and exports", () => {
  test("every form", () => {
    const { imports, exports } = analyse(`
import a, { b as c, type D } from "./one";
import * as e from "./two" with { type: "json" };
import type { F } from "./three";
import "./four";
import g = require("./five");
export { h as "i j", type K } from "./six";
export * as l from "./seven";
export * from "./eight";
export type { M } from "./nine";
export { c as n, F };
export const { o, p: [q] } = {} as any;
export default function r() { return import("./ten"); }
const s = require("./eleven");
export interface T {}
`);
    expect(
      imports.map(({ kind, specifier, typeOnly, names }) => [
        kind,
        specifier,
        typeOnly,
        names.map((n) => `${n.imported}:${n.local}`).join(),
      ]),
    ).toEqual([
      ["import", "./one", false, "default:a,b:c,D:D"],
      ["import", "./two", false, "*:e"],
      ["import", "./three", true, "F:F"],
      ["import", "./four", false, ""],
      ["require", "./five", false, "*:g"],
      ["reexport", "./six", false, "h:i j,K:K"],
      ["reexport", "./seven", false, "*:l"],
      ["export-all", "./eight", false, ""],
      ["reexport", "./nine", true, "M:M"],
      ["dynamic", "./ten", false, ""],
      ["require", "./eleven", false, ""],
    ]);
    expect(imports[1]?.attributes).toEqual({ type: "json" });
    expect(
      exports
        .filter((item) => !item.typeOnly)
        .map((item) => `${item.exported}:${item.local ?? item.from?.specifier}`),
    ).toEqual(["i j:./six", "l:./seven", "n:c", "o:o", "q:q", "default:r"]);
  });

  test("phases of dynamic imports", () => {
    const { imports } = analyse(
      'import.defer("./a"); import.source("./b"); import("./c", { with: {} });',
      "a.js",
    );
    expect(imports.map(({ kind, specifier }) => [kind, specifier])).toEqual([
      ["dynamic", "./a"],
      ["dynamic", "./b"],
      ["dynamic", "./c"],
    ]);
  });

  test("a local function called require loads nothing", () => {
    expect(analyse('const require = (x: string) => x;\nrequire("./a");').imports).toEqual([]);
  });
});

describe("syntax", () => {
  test.each([
    [
      "a.ts",
      "class A { constructor(@inject() private x: number) {} }\nfunction inject() { return (..._: unknown[]) => {}; }",
    ],
    ["a.ts", "@dec export class A {}\nfunction dec(..._: unknown[]) {}"],
    ["a.ts", "export @dec class A { accessor x = 1; }\nfunction dec(..._: unknown[]) {}"],
    ["a.ts", "const x = <any>1; abstract class A { abstract m(): void; declare y: number; override z = 1 }"],
    ["a.mts", "const f = <T,>(x: T) => x; export { f };"],
    ["a.cts", "import fs = require('node:fs'); export = fs;"],
    ["a.tsx", "const f = <T,>(x: T) => <p>{x as never}</p>;"],
    ["a.js", "const f = (x) => <p {...x} />;"],
    ["a.mjs", "await using x = null; export default x;"],
    ["a.js", "with (Math) { module.exports = random; }\nreturn;"],
    ["a.cjs", "exports.a = 010; return;"],
    ["a.ts", "import data from './x.json' assert { type: 'json' };"],
    ["a.ts", "type A<in out T> = T; let x: A<string>; const y = x satisfies unknown; enum E { a = `x` }"],
    ["a.ts", "#!/usr/bin/env node\nexport {};"],
    ["a.ts", "export default interface Foo {}\nexport type { Foo as Bar };"],
    [
      "a.ts",
      "declare module 'x' { export const y: number; }\ndeclare global { interface Window {} }\nexport as namespace Lib;",
    ],
    [
      "a.ts",
      "function assertIsString(val: any): asserts val is string {}\nlet u: unique symbol; let t: [a: string, b?: number];",
    ],
    ["a.ts", "for await (const x of []) {}\nlabel: { break label; }"],
  ])("%s: %s", (file, text) => {
    expect(analyse(text, file).diagnostics).toEqual([]);
  });

  test("a fault is reported at its place, and nothing else of the file", () => {
    const { diagnostics, directives } = analyse('async function a() { "use step"; }\nasync function b( {\n');
    expect(diagnostics.map(({ code, line }) => [code, line])).toEqual([["EVE1000", 3]]);
    expect(directives).toEqual([]);
  });

  test("positions count neither a BOM nor CRLF twice", () => {
    const text = '\uFEFF// a\r\nexport const f = () => {\r\n  "use step";\r\n};\r\n';
    expect(analyse(text).diagnostics).toMatchObject([{ code: "EVE1004", line: 3, column: 3, endColumn: 13 }]);
  });

  test("an analysis survives JSON", () => {
    const analysis = analyse('import { z } from "zod";\nexport async function a() { "use step"; return z; }');
    expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
  });
});

test("top-level await is found, and only there", () => {
  expect(analyse("await 1;").topLevelAwait).toEqual({ start: 0, end: 5 });
  expect(analyse("for await (const x of []) x;").topLevelAwait?.start).toBe(0);
  expect(analyse("await using x = null;").topLevelAwait?.start).toBe(0);
  expect(analyse("async () => { await 1; };").topLevelAwait).toBeUndefined();
});
