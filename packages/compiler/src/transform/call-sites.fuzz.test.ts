import vm from "node:vm";
import { transformSync } from "esbuild";
import fc from "fast-check";
import { expect, test } from "vitest";
import { analyseModule } from "../analysis/index.js";
import { emitModule, type CallSites } from "./index.js";

/** A longer campaign: node scripts/fuzz-compiler.mjs 20000 */
const numRuns = Number(process.env["EVE_FUZZ_RUNS"] ?? 200);
/** A failure names its seed; EVE_FUZZ_SEED runs it again. */
const seed = process.env["EVE_FUZZ_SEED"];
const campaign = { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) };

const { expression } = fc.letrec<{ expression: string }>((tie) => {
  const inner = tie("expression");
  const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((all) => all.join(""));
  const of = (text: string) => fc.constant(text);
  const list = fc.array(inner, { maxLength: 2 }).map((all) => all.join(", "));
  return {
    expression: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("1", '"("', "plan", "other", "`)`", "/[(]/.source", "lib", "{}.x"),
      ...[
        "await plan",
        "await other",
        "plan",
        "await lib.plan",
        "lib.other",
        "plan /* ( */",
        "await plan // (\n",
        "plan?.",
        "await (plan)",
        "plan!",
      ].map((callee) => join(of(`${callee}(`), list, fc.constantFrom(")", " /* ) */)"))),
      join(of("await plan(..."), of("["), list, of("])")),
      join(of("["), list, of("].map((plan) => typeof plan)")),
      join(of("await Promise.all([1, 2].map((n) => plan(n, "), inner, of(")))")),
      join(of("((plan: unknown) => typeof plan)("), inner, of(")")),
      join(of("(await (async (other = plan("), list, of(")) => other)())")),
      join(of("(true ? "), inner, of(" : plan("), list, of("))")),
      join(of("{ plan: "), inner, of(", m() { return this === undefined; } }.plan")).map(
        (text) => `(${text})`,
      ),
      join(of("`${"), inner, of("}${await plan("), list, of(")}`")),
      join(of("(plan("), list, of(") as unknown)")),
      join(of("class { static plan = "), inner, of("; static x = typeof this.plan }.x")).map(
        (text) => `(${text})`,
      ),
    ),
  };
});

const statement = fc.oneof(
  expression.map((text) => `out.push(${text});`),
  expression.map((text) => `{ const plan = other; out.push(plan(${text})); }`),
  expression.map((text) => `for (const plan of [other]) out.push(plan(${text}));`),
  expression.map((text) => `try { throw ${text}; } catch (plan) { out.push(typeof plan); }`),
  expression.map(
    (text) => `function nested(plan: Function) { return plan(1); } out.push(nested(other), ${text});`,
  ),
  expression.map((text) => `label: { if (await plan(${text})) break label; out.push(await plan()); }`),
);

const program = fc
  .tuple(fc.array(statement, { minLength: 1, maxLength: 4 }), fc.constantFrom("\n", "\r\n", " "))
  .map(([statements, newline]) =>
    [
      `import * as lib from "./lib";`,
      `export async function plan(...args: unknown[]) { "use step"; return args; }`,
      `function other(this: unknown, ...args: unknown[]) { return [this === undefined, args]; }`,
      `export async function body(out: unknown[]) { "use workflow";`,
      // Joined by nothing but a space, a comment would take the rest away.
      ...statements.map((text) => (newline === " " ? text.replace(/\/\/ \(\n/g, "") : text)),
      `}`,
    ].join(newline),
  );

/** Runs the body; what it collects, the steps it calls with the places they are given, or what it throws. */
async function run(code: string): Promise<{ trace: string; places: unknown[] }> {
  const js = transformSync(code, { loader: "ts", format: "cjs" }).code;
  const calls: unknown[] = [];
  const places: unknown[] = [];
  const step = (id: string, place: unknown) => {
    if (typeof place === "string") places.push(place);
    return async (...args: unknown[]) => {
      calls.push([id, args.length]);
      return args.length;
    };
  };
  const lib = {
    plan(this: unknown, ...args: unknown[]) {
      return step("lib", this)(...args);
    },
    other(this: unknown, ...args: unknown[]) {
      return [this === lib, args.length];
    },
  };
  const context = vm.createContext({
    require: () => lib,
    module: { exports: {} },
    exports: {},
    useStep: (id: string, _: unknown, place: unknown) => step(id, place),
  });
  vm.runInContext('globalThis[Symbol.for("WORKFLOW_USE_STEP")] = useStep;', context);
  vm.runInContext(`"use strict";${js}`, context);
  const body = (context["module"] as { exports: { body: (out: unknown[]) => Promise<void> } }).exports.body;
  const out: unknown[] = [];
  let thrown = "";
  try {
    await body(out);
  } catch (error) {
    thrown = String((error as Error).message ?? error);
  }
  const shown = (_: string, value: unknown) =>
    typeof value === "function" || typeof value === "symbol" ? typeof value : value;
  // The text of a step's own function shows that it hands on its place.
  const trace = JSON.stringify([out, calls, thrown], shown).replaceAll(", void 0, this", "");
  return { trace, places };
}

test("random bodies do the same with and without the places of their calls, and each place is a call of a step", async () => {
  const callSites: CallSites = {
    file: "a.ts",
    isImportedStep: (local, member) => local === "lib" && member === "plan",
  };
  let marked = 0;
  await fc.assert(
    fc.asyncProperty(program, async (text) => {
      const analysis = analyseModule(text, { file: "a.ts" });
      fc.pre(analysis.diagnostics.length === 0);
      const emit = (options: { callSites?: CallSites }) =>
        emitModule(text, analysis, { mode: "workflow", moduleId: "./a", ...options }).code;
      const [with_, without] = await Promise.all([run(emit({ callSites })), run(emit({}))]);
      expect(with_.trace).toBe(without.trace);
      const lines = text.split(/\r?\n/);
      for (const place of with_.places) {
        const [, line, column] = /^@a\.ts:(\d+):(\d+)$/.exec(String(place)) ?? [];
        const at = lines[Number(line) - 1]?.slice(Number(column) - 1);
        expect(at, String(place)).toMatch(/^plan\b/);
      }
      marked += with_.places.length;
    }),
    campaign,
  );
  expect(marked).toBeGreaterThan(numRuns / 4);
});
