import vm from "node:vm";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { analyseModule } from "../analysis/index.js";
import { mayHoldDirective } from "../directives/spelling.js";
import { assertEveryDirectiveCompiled, emitModule } from "./index.js";

/** A longer campaign: node scripts/fuzz-compiler.mjs 20000 */
const numRuns = Number(process.env["EVE_FUZZ_RUNS"] ?? 200);
/** A failure names its seed; EVE_FUZZ_SEED runs it again. */
const seed = process.env["EVE_FUZZ_SEED"];
const campaign = { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) };

const quote = fc.constantFrom('"', "'");
const spelling = fc.constantFrom(
  "use step",
  "use workflow",
  "use steps",
  "use-workflow",
  "Use Step",
  "\\x75se step",
);

/** A string statement, in one of the forms that people write by mistake, too. */
const directive = fc
  .tuple(spelling, quote, fc.constantFrom("plain", "bare", "parens", "template", "cast", "tail"))
  .map(([text, mark, form]) => {
    switch (form) {
      case "parens":
        return `(${mark}${text}${mark});`;
      case "template":
        return `\`${text}\`;`;
      case "cast":
        return `${mark}${text}${mark} as string;`;
      case "tail":
        return `${mark}${text}${mark}\n[0].toString();`;
      case "bare":
        // Whatever comes next must not continue it: then it would be a call with the next string as an argument.
        return `${mark}${text}${mark}\n{}`;
      default:
        return `${mark}${text}${mark};`;
    }
  });

/** Places for a statement; `@` is where it goes. Each is a whole top-level statement. */
const places = [
  "async function f$$() { @ return 1; }",
  "export async function f$$(a = 1, { b } = { b: 2 }) { @ return a + b; }",
  "async function* f$$() { @ yield 1; }",
  "function f$$() { @ return 1; }",
  "async function f$$() { let x; @ return x; }",
  "async function f$$() { if (true) { @ } }",
  "async function f$$() { return async () => { @ }; }",
  "const c$$ = async () => { @ };",
  "const o$$ = { async m() { @ }, get g() { @ return 1; }, p: async function () { @ } };",
  "class K$$ { async m() { @ } static { @ } static s = async () => { @ }; #p() { @ } }",
  "namespace N$$ { @ export const x = 1; }",
  "{ @ }",
  "switch (1) { case 1: @ default: }",
  "@",
  "[1].map(async () => { @ });",
  "enum E$$ { A }\nasync function f$$() { 'use strict'; @ return E$$.A; }",
];

/** Statements that look as if they held a directive, and hold none. */
const decoys = [
  'const s$$ = "use step";',
  "const t$$ = `use workflow`;",
  '// "use step" `odd',
  "/* 'use workflow' */",
  'const q$$ = { "use step": 1, ["use workflow"]: 2 };',
  'call$$("use step");\nfunction call$$(_: string) {}',
  'async function d$$() { return "use step"; }',
  'const a$$ = () => "use workflow";',
  'type T$$ = "use step" | "use workflow";',
  'if (("use step" as string) === "use workflow") {}',
  'const r$$ = /"use step"/;',
];

const statement = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom(...places), directive) },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...decoys), fc.constant("")) },
);

interface Program {
  text: string;
  /** Offsets at which a directive or near miss stands. */
  planted: number[];
}

const program: fc.Arbitrary<Program> = fc
  .tuple(
    fc.array(statement, { minLength: 1, maxLength: 6 }),
    fc.constantFrom("\n", "\r\n", "\n\n"),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([statements, newline, bom, hashbang]) => {
    let text = (bom ? "\uFEFF" : "") + (hashbang ? `#!/usr/bin/env node${newline}` : "");
    const planted: number[] = [];
    statements.forEach(([shape, inserted], index) => {
      const parts = shape.replaceAll("$$", String(index)).split("@");
      parts.forEach((part, position) => {
        text += part;
        if (position === parts.length - 1) return;
        planted.push(text.length - (bom ? 1 : 0));
        text += inserted.replaceAll("\n", newline);
      });
      text += newline;
    });
    return { text, planted };
  });

describe("random programs", () => {
  test("every directive that is planted is compiled or reported at its place", () => {
    fc.assert(
      fc.property(program, ({ text, planted }) => {
        const analysis = analyseModule(text, { file: "a.ts" });
        expect(analysis.diagnostics.filter(({ code }) => code === "EVE1000")).toEqual([]);
        expect(assertEveryDirectiveCompiled(analysis)).toEqual([]);
        if (planted.length > 0) expect(mayHoldDirective(text)).toBe(true);
        for (const offset of planted) {
          const compiled = analysis.directives.some((fn) => fn.directiveStart === offset);
          const reported = analysis.diagnostics.some(({ line, column }) => {
            const at = (analysis.lines[line - 1] ?? 0) + column - 1;
            return at >= offset && at <= offset + 1;
          });
          expect({ offset, answered: compiled || reported }).toEqual({ offset, answered: true });
        }
        // Nothing else is taken for one.
        expect(analysis.directiveStrings.length).toBe(planted.length);
      }),
      campaign,
    );
  });

  test("both modes of any program are programs", () => {
    fc.assert(
      fc.property(program, ({ text }) => {
        const analysis = analyseModule(text, { file: "a.ts" });
        for (const mode of ["workflow", "step"] as const) {
          const { code, map } = emitModule(text, analysis, { mode, moduleId: "./a" });
          expect(() =>
            transformSync(code, { loader: "ts", format: "cjs", logLevel: "silent" }),
          ).not.toThrow();
          expect(map.sourcesContent).toEqual([text]);
        }
      }),
      campaign,
    );
  });
});

/** Pieces of a module that can be put in any order; `run` uses all that are there. */
const pieces: { text: string; use: string }[] = [
  { text: 'async function double(n: number) {\n  "use step";\n  return n * 2;\n}', use: "await double(3)" },
  { text: "const BASE = 10;\nconst scale = (n: number, by = BASE) => n * by;", use: "scale(2)" },
  {
    text: 'export async function join(...parts: string[]) {\n  "use step"\n  return parts.join(SEP)\n}\nconst SEP = "-";',
    use: 'await join("a", "b")',
  },
  { text: "const list: number[] = [];\nlist.push(1);\nfor (const n of [2, 3]) list.push(n);", use: "list" },
  { text: "enum Color {\n  Red,\n  Blue = 5,\n}", use: "[Color.Blue, Color[0]]" },
  {
    text: "namespace Fee {\n  export const base = 4;\n}\nnamespace Fee {\n  export const more = base + 1;\n}",
    use: "Fee.more",
  },
  {
    text: "class Box {\n  #n = 1;\n  static make() {\n    return new Box();\n  }\n  get n() {\n    return this.#n;\n  }\n}",
    use: "Box.make().n",
  },
  { text: "let count = 0;\nfunction bump() {\n  return ++count;\n}\nbump();", use: "count" },
  {
    text: 'async function size(text: string): Promise<number>;\nasync function size(text: string) {\n  "use step";\n  return text.length;\n}',
    use: 'await size("four")',
  },
  {
    text: "const { a: first = BASE2, ...others } = { b: 2 } as Record<string, number>;\nvar BASE2 = 7;",
    use: "[first, others.b]",
  },
  {
    text: 'async function outer(n: number): Promise<number> {\n  "use step";\n  return n > 0 ? inner(n - 1) : 0;\n}\nasync function inner(n: number): Promise<number> {\n  "use step";\n  return outer(n);\n}',
    use: "await outer(3)",
  },
  { text: "const sink: number[] = []\n;[5].forEach((n) => sink.push(n))", use: "sink" },
];

const formats: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replaceAll("\n", "\r\n"),
  (text) => text.replaceAll(/;$/gm, ""),
  (text) => text.replaceAll('"', "'"),
  (text) => text.replaceAll("{\n", "{ // it's a `comment\n"),
  (text) => text.replaceAll(/^(?=\S)/gm, "/* before */ "),
];

const module = fc
  .tuple(fc.shuffledSubarray(pieces, { minLength: 1 }), fc.nat(8), fc.constantFrom(...formats), fc.boolean())
  .map(([chosen, position, format, inline]) => {
    const values = `[${chosen.map(({ use }) => use).join(", ")}]`;
    const run = inline
      ? `export default defineWorkflowTool({\n  description: "d",\n  async execute() {\n    "use workflow";\n    return ${values};\n  },\n});\nfunction defineWorkflowTool(x) {\n  return x;\n}`
      : `export async function run() {\n  "use workflow";\n  return ${values};\n}`;
    const parts = chosen.map(({ text }) => text);
    parts.splice(position % (parts.length + 1), 0, run);
    const text = format(parts.join("\n\n")) + "\n";
    return inline
      ? text.replace(/^(?:\/\* before \*\/ )?function defineWorkflowTool[\s\S]*?\}\s*?$/m, "")
      : text;
  })
  .map((text) =>
    text.includes("defineWorkflowTool") ? `import { defineWorkflowTool } from "eve/tools";\n${text}` : text,
  );

const STEPS = Symbol.for("@workflow/core//registeredSteps");

/** Evaluates a module as CommonJS in a realm of its own. */
function evaluate(
  code: string,
  globals: Record<string | symbol, unknown>,
): { exports: Record<string, unknown>; realm: vm.Context } {
  const { code: js } = transformSync(code, { loader: "ts", format: "cjs", logLevel: "silent" });
  const realm = vm.createContext({ ...globals });
  const run = vm.runInContext(`(function (module, exports, require) {${js}\n})`, realm) as (
    ...args: unknown[]
  ) => void;
  const holder = { exports: {} as Record<string, unknown> };
  run(holder, holder.exports, () => ({ defineWorkflowTool: (definition: unknown) => definition }));
  return { exports: holder.exports, realm };
}

test("a compiled module does what its source does with the directives inert", async () => {
  await fc.assert(
    fc.asyncProperty(module, async (text) => {
      const analysis = analyseModule(text, { file: "a.ts" });
      expect(analysis.diagnostics).toEqual([]);
      const emit = (mode: "workflow" | "step"): string =>
        emitModule(text, analysis, { mode, moduleId: "./a" }).code;

      const source = evaluate(text, {}).exports;
      const body = (source["run"] ??
        (source["default"] as { execute: unknown }).execute) as () => Promise<unknown>;
      const wanted = JSON.stringify(await body());

      const step = evaluate(emit("step"), {});
      const registry =
        (
          vm.runInContext("globalThis", step.realm) as Record<
            symbol,
            Map<string, (...args: unknown[]) => unknown>
          >
        )[STEPS] ?? new Map<string, (...args: unknown[]) => unknown>();
      const useStep =
        (id: string) =>
        (...args: unknown[]) =>
          (registry.get(id) as (...args: unknown[]) => unknown)(...args);
      const workflow = evaluate(emit("workflow"), { [Symbol.for("WORKFLOW_USE_STEP")]: useStep });
      const workflows = vm.runInContext("globalThis.__private_workflows", workflow.realm) as Map<
        string,
        () => Promise<unknown>
      >;
      expect([...workflows.keys()]).toHaveLength(1);
      const [run] = workflows.values();
      expect(JSON.stringify(await run?.())).toBe(wanted);
    }),
    campaign,
  );
});

test("a failing campaign says with which seed it can be repeated", () => {
  const fails = (): void =>
    fc.assert(
      fc.property(program, () => false),
      { ...campaign, seed: 4711, numRuns: 1 },
    );
  expect(fails).toThrow(/seed: 4711/);
});
