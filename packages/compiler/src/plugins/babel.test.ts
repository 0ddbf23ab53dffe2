import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parse, transformSync, type ParserOptions } from "@babel/core";
import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../types.js";
import { emitFile, inputOf } from "../transform/testing/run-fixture.js";
import eveBabelPlugin, { type EveBabelOptions } from "./babel.js";

const root = fileURLToPath(new URL("../../../../fixtures/transform", import.meta.url));

/** Fixtures whose expectation doesn't narrow exports, which a plugin for single modules can't do. */
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(path.join(root, entry.name, "expect.json")))
  .map((entry) => entry.name)
  .sort();

function parserOpts(file: string): ParserOptions {
  const plugins: NonNullable<ParserOptions["plugins"]> = [
    file.includes("decorators-legacy") ? "decorators-legacy" : "decorators",
    "decoratorAutoAccessors",
    "explicitResourceManagement",
  ];
  if (/\.tsx?$/.test(file)) plugins.push("typescript");
  if (!file.endsWith(".ts")) plugins.push("jsx");
  return { plugins, sourceType: file.endsWith(".cjs") ? "script" : "module" };
}

function compile(file: string, source: string, options: EveBabelOptions): string | null | undefined {
  const result = transformSync(source, {
    filename: file,
    root: path.dirname(file),
    configFile: false,
    babelrc: false,
    parserOpts: parserOpts(file),
    plugins: [[eveBabelPlugin, options]],
  });
  return result?.code;
}

/** The program of a text, without positions, comments and the marks that formatting leaves. */
function normalised(code: string, file: string): unknown {
  const ast = parse(code, {
    filename: file,
    configFile: false,
    babelrc: false,
    parserOpts: { ...parserOpts(file), attachComment: false, createParenthesizedExpressions: false },
  });
  return clean(ast?.program);
}

function clean(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item: { type?: string } | null) => item?.type !== "EmptyStatement").map(clean);
  }
  if (typeof value !== "object" || value === null) return value;
  if ((value as { type?: string }).type === "TSParenthesizedType") {
    return clean((value as { typeAnnotation: unknown }).typeAnnotation);
  }
  const ignored = new Set(["start", "end", "loc", "extra", "comments", "errors", "interpreter"]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, item]) => !ignored.has(key) && item !== undefined && item !== null && item !== false)
      .map(([key, item]) => [key, clean(item)]),
  );
}

describe.each(names)("%s", (name) => {
  const folder = path.join(root, name);
  const input = inputOf(folder);

  test.each(["workflow", "step"] as const)("%s mode gives the program that the text edits give", (mode) => {
    const source = readFileSync(input, "utf8");
    const code = compile(input, source, { mode, moduleId: () => "./input", onDiagnostics: () => undefined });
    const expected = emitFile(input, mode).code;
    expect(normalised(code ?? "", input)).toEqual(normalised(expected, input));
  });
});

test("ids come from the root and the file name", () => {
  const file = path.join(root, "lib", "wrap.ts");
  const code = compile(file, 'export async function wrap() {\n  "use step";\n}\n', { mode: "step", root });
  expect(code).toContain('"step//./lib/wrap//wrap"');
});

test("errors are Babel's own, with the place and all findings", () => {
  const source =
    'export function one() {\n  "use step";\n}\n\nexport async function two() {\n  "use steps";\n}\n';
  const run = (): unknown => compile(path.join(root, "lib.ts"), source, { mode: "step", root });
  expect(run).toThrow(SyntaxError);
  expect(run).toThrow(/EVE1006: "one" has "use step" but isn't async/);
  expect(run).toThrow(/lib\.ts:6:3 error EVE1002/);
  expect(run).toThrow(/> 2 \|\s+"use step"/);
  expect(run).toThrow(expect.objectContaining({ code: "EVE1006", loc: { line: 2, column: 2 } }));
});

test("warnings reach onDiagnostics and don't fail the transform", () => {
  const seen: Diagnostic[] = [];
  const source = 'export async function run() {\n  "use workflow";\n  return Date.now();\n}\n';
  const code = compile(path.join(root, "run.ts"), source, {
    mode: "workflow",
    root,
    onDiagnostics: (diagnostics) => seen.push(...diagnostics),
  });
  expect(seen.map(({ code: rule, line }) => [rule, line])).toEqual([["EVE2005", 3]]);
  expect(code).toContain("workflow//./run//run");
});

test("files without a directive are left alone", () => {
  const source = 'export const text = "the steps we use";\n';
  expect(compile(path.join(root, "plain.ts"), source, { mode: "step" })?.trim()).toBe(source.trim());
});

test("a missing mode is an error that says what to write", () => {
  expect(() => compile(path.join(root, "x.ts"), "", {} as EveBabelOptions)).toThrow(
    /"mode" must be "workflow" or "step"/,
  );
});

test("code without a file name is an error that says what to write", () => {
  const run = (): unknown =>
    transformSync('async function a() {\n  "use step";\n}', {
      configFile: false,
      babelrc: false,
      plugins: [[eveBabelPlugin, { mode: "step" }]],
    });
  expect(run).toThrow(/no file name, and ids come from it/);
});

test("a tool that lacks its directive is an error, though the file holds none", () => {
  const source =
    'import { defineWorkflowTool } from "eve/tools";\nexport default defineWorkflowTool({ async execute() {} });\n';
  const file = path.join(root, "agent", "tools", "a.js");
  expect(() => compile(file, source, { mode: "step", root })).toThrow(/EVE1001/);
});

test("positions in a file with a byte order mark", () => {
  const source =
    '\uFEFFimport { x } from "./x.js";\nexport async function a() {\n  "use step";\n  return x;\n}\n';
  const code = compile(path.join(root, "bom.js"), source, { mode: "workflow", root });
  expect(code).not.toContain("./x.js");
  expect(code).toContain('a.stepId = "step//./bom//a"');
});

test("other plugins see the names that the transform adds", () => {
  const seen: string[] = [];
  transformSync('export default async function () {\n  "use step";\n}\n', {
    filename: path.join(root, "default.js"),
    configFile: false,
    babelrc: false,
    plugins: [
      [eveBabelPlugin, { mode: "step", root }],
      {
        name: "observer",
        visitor: {
          FunctionDeclaration: (fn) => void seen.push(...Object.keys(fn.scope.getProgramParent().bindings)),
        },
      },
    ],
  });
  expect(seen).toEqual(["step$default"]);
});
