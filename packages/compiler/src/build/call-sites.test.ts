import { readFileSync } from "node:fs";
import vm from "node:vm";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { describe, expect, test } from "vitest";
import { out, SDK, testApp, toolText } from "../testing/app.js";
import type { Files } from "../testing/temporary.js";
import { build } from "./index.js";

interface Call {
  id: string;
  /** What the compiled step was handed. */
  place: unknown;
  /** Where the stack says that it was called, as `@file:line:column`. */
  stack: string;
}

/** Builds a tool with this body and gives the calls of steps that running it makes. */
async function callsOf(
  body: string,
  head: string,
  files: Files = {},
  file = "agent/tools/a.ts",
): Promise<Call[]> {
  const root = testApp({ [file]: toolText(body, { head }), ...files });
  const { ok, diagnostics } = await build({ root, sdk: SDK });
  expect(diagnostics).toEqual([]);
  expect(ok).toBe(true);

  const trace = new TraceMap(readFileSync(out(root, "workflow.cjs.map"), "utf8"));
  const calls: Call[] = [];
  const context = vm.createContext({
    useStep: (id: string, _: unknown, place: unknown) => {
      // The first frame of the bundle is the compiled step itself.
      const [, frame = ""] = (new Error("here").stack ?? "")
        .split("\n")
        .filter((line) => line.includes("bundle.cjs"));
      const [, line, column] = /bundle\.cjs:(\d+):(\d+)/.exec(frame) ?? [];
      const at = originalPositionFor(trace, { line: Number(line), column: Number(column) - 1 });
      calls.push({ id, place, stack: `@${at.source}:${at.line}:${(at.column ?? -1) + 1}` });
      return async (...args: unknown[]) => args;
    },
  });
  vm.runInContext('globalThis[Symbol.for("WORKFLOW_USE_STEP")] = useStep;', context);
  vm.runInContext(readFileSync(out(root, "workflow.cjs"), "utf8"), context, { filename: "bundle.cjs" });
  const workflows = vm.runInContext("globalThis.__private_workflows", context) as Map<string, () => unknown>;
  for (const workflow of workflows.values()) await workflow();
  return calls;
}

const STEP = `async function plan(...args: unknown[]) { "use step"; return args; }`;
const LIB = { "lib/plan.ts": `export ${STEP}\nexport default plan;\n` };
const [AGAIN, BARREL] = [`export { plan as again } from "./plan";\n`, `export * from "./again";\n`];

describe("a plain call of a step tells the author's place, the same that its stack leads to", () => {
  const forms: Record<string, [body: string, head: string, files?: Files]> = {
    "a step of the module": [`return await plan(1);`, STEP],
    "a step with options": [
      `return await plan(1);`,
      `${STEP}\nObject.assign(plan, {});\nplan.maxRetries = 0;`,
    ],
    "no argument": [`return await plan();`, STEP],
    "no argument but a comment": [`return await plan(/* (none) */);`, STEP],
    "comments and lines in between": [`return await plan /* a */ // b (\n      (1);`, STEP],
    "spread arguments": [`const list = [1, 2]; return await plan(...list);`, STEP],
    "a call as argument": [`return await plan(await plan(1), plan);`, STEP],
    "several in one line": [`return await Promise.all([plan(1), plan(2)]);`, STEP],
    "in a callback": [`return await Promise.all([1, 2].map((n) => plan(n)));`, STEP],
    "in a template": ["return `${await plan(1)}`;", STEP],
    "before its line": [`return await late();\n    async function late() { return await plan(2); }`, STEP],
    "in a helper": [`return await helper();`, `${STEP}\nconst helper = async () => await plan(1);`],
    "an import": [`return await plan(1);`, `import { plan } from "../../lib/plan";`, LIB],
    "an import by another name": [`return await p(1);`, `import { plan as p } from "../../lib/plan";`, LIB],
    "a default import": [`return await p(1);`, `import p from "../../lib/plan";`, LIB],
    "a namespace": [`return await lib.plan(1);`, `import * as lib from "../../lib/plan";`, LIB],
    "a namespace, over lines": [
      `return await lib\n      . plan (1);`,
      `import * as lib from "../../lib/plan";`,
      LIB,
    ],
    "through files that only hand on": [
      `return await again(1);`,
      `import { again } from "../../lib";`,
      { ...LIB, "lib/again.ts": AGAIN, "lib/index.ts": BARREL },
    ],
  };

  test.each(Object.entries(forms))("%s", async (_, [body, head, files]) => {
    const calls = await callsOf(body, head, files);
    expect(calls).not.toEqual([]);
    for (const { place, stack } of calls) expect(place).toBe(stack);
  });

  test("line and column are those of the author's file", async () => {
    const [call] = await callsOf(`return await plan(1);`, STEP);
    expect(call).toMatchObject({ id: "step//./agent/tools/a//plan", place: "@agent/tools/a.ts:8:18" });
  });

  test("a byte order mark isn't counted", async () => {
    const files = { "lib/plan.ts": `\uFEFF${LIB["lib/plan.ts"]}export const run = () => plan(1);\n` };
    const [call] = await callsOf(`return await run();`, `import { run } from "../../lib/plan";`, files);
    expect(call?.place).toBe("@lib/plan.ts:3:26");
  });

  test("a step of a package is called from the package's file", async () => {
    const [call] = await callsOf(`return await run();`, `import { run } from "kit";`, {
      "node_modules/kit/package.json": JSON.stringify({
        name: "kit",
        version: "1.2.3",
        type: "module",
        exports: "./k.js",
      }),
      "node_modules/kit/k.js": `async function plan() { "use step"; return 1; }\nexport const run = () => plan();\n`,
    });
    expect(call).toMatchObject({ id: "step//kit@1.2.3//plan", place: "@kit@1.2.3/k.js:2:26" });
  });

  test("a file's name may hold anything", async () => {
    const [call] = await callsOf(`return await run();`, `import { run } from "../../lib/it's \\"a:1:2\\"";`, {
      'lib/it\'s "a:1:2".ts': `${STEP}\nexport const run = () => plan(1);\n`,
    });
    expect(call?.place).toBe(`@lib/it's "a:1:2".ts:2:26`);
  });
});

describe("any other call is left to the stack", () => {
  const forms: Record<string, [body: string, head: string, files?: Files]> = {
    "a step in a variable": [`const step = plan; return await step(1);`, STEP],
    "a step that is handed on": [`return await Promise.all([1, 2].map(plan));`, STEP],
    "an optional call": [`return await plan?.(1);`, STEP],
    "a parenthesised step": [`return await (plan)(1);`, STEP],
    "type arguments": [
      `return await gen<number>(1);`,
      `async function gen<T>(a: T) { "use step"; return a; }`,
    ],
    "a cast": [`return await (plan as typeof plan)(1);`, STEP],
    apply: [`return await plan.apply(undefined, [1]);`, STEP],
    "a step in an object": [`const all = { plan }; return await all.plan(1);`, STEP],
    "a computed member": [`return await lib["plan"](1);`, `import * as lib from "../../lib/plan";`, LIB],
  };

  test.each(Object.entries(forms))("%s", async (_, [body, head, files]) => {
    const calls = await callsOf(body, head, files);
    expect(calls).not.toEqual([]);
    for (const { place } of calls) expect(String(place)).not.toMatch(/^@/);
  });

  test("a function that isn't a step, and a name that hides one", async () => {
    const body = `const run = async (plan: (n: number) => unknown) => plan(1);
    return await run(function (this: unknown) { return this === undefined; });`;
    expect(await callsOf(`await plan(0); ${body}`, STEP)).toHaveLength(1);
  });

  test("a step that its module replaces", async () => {
    const text = `${STEP}\nconst other = async function (this: unknown) { return this === undefined; };
      export const swap = () => { (plan as unknown) = other; };\nexport const run = async () => await plan(1);\nexport { plan };\n`;
    const body = `await plan(0); await run(); swap(); return (await plan(1)) && (await run());`;
    const head = `import { plan, run, swap } from "../../lib/plan";`;
    const calls = await callsOf(body, head, { "lib/plan.ts": text });
    expect(calls.map(({ place }) => place)).toEqual([undefined, undefined]);
  });

  test("calls within steps don't get to the bundle, and don't hinder it", async () => {
    const head = `${STEP}\nasync function outer() { "use step"; return await plan(1); }`;
    const calls = await callsOf(`await plan(0); return await outer();`, head);
    expect(calls.map(({ place }) => place)).toEqual(["@agent/tools/a.ts:9:11", "@agent/tools/a.ts:9:33"]);
  });
});
