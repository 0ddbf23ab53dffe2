import { describe, expect, test } from "vitest";
import { createBody } from "./body.js";
import { bundleCache, compileWorkflowBundle } from "./bundle.js";
import { codec, evaluate, start, STEP_A, STEP_B, T0 } from "./testing/bodies.js";

describe("steps", () => {
  test("are addressed by id and count, with their arguments and call site", () => {
    const body = start(
      `async function main(x) {
  const first = await a(x, { deep: [1] });
  return [first, await a(first)];
}`,
      { args: ["in"] },
    );
    expect(body.operations).toEqual([
      { op: "step", key: `${STEP_A}#0`, stepId: STEP_A, args: expect.any(String) as string, site: "12:23" },
    ]);
    expect(codec.decode((body.operations[0] as { args: string }).args)).toEqual(["in", { deep: [1] }]);
    body.resolve(`${STEP_A}#0`, "one");
    expect(body.operations[1]).toMatchObject({ key: `${STEP_A}#1`, site: "13:24" });
    body.resolve(`${STEP_A}#1`, new Map([["k", new Date(5)]]));
    expect(body.output()).toEqual(["one", new Map([["k", new Date(5)]])]);
  });

  test("are placed by what the compiler says of their call, each by its own", () => {
    const body = start(`
const STEP = globalThis[S("WORKFLOW_USE_STEP")];
const placed = (() => {
  "use strict";
  return async function (...args) { return STEP("${STEP_A}", undefined, this)(...args); };
})();
async function main() {
  const both = [placed.call("@agent/tools/t.ts:3:9", 1), a(2)];
  STEP("${STEP_A}", undefined, "@agent/tools/t.ts:4:1");
  return await Promise.all([...both, placed.call("4:1", 3), placed(4), placed.call({}, 5), a(6)]);
}`);
    const sites = body.operations.map((operation) => (operation as { site: string }).site);
    expect(sites[0]).toBe("@agent/tools/t.ts:3:9");
    expect(sites.slice(1)).toEqual(sites.slice(1).map(() => expect.stringMatching(/^\d+:\d+$/)));
    expect(sites).toHaveLength(6);
  });

  test("run in parallel and are counted per step", () => {
    const body = start(`async function main() { return Promise.all([a(1), b(2), a(3)]); }`);
    expect(body.operations.map((op) => (op as { key: string }).key)).toEqual([
      `${STEP_A}#0`,
      `${STEP_B}#0`,
      `${STEP_A}#1`,
    ]);
    body.resolve(`${STEP_A}#1`, "z");
    body.resolve(`${STEP_A}#0`, "x");
    body.resolve(`${STEP_B}#0`, "y");
    expect(body.output()).toEqual(["x", "y", "z"]);
  });

  test("reject with the recorded error, whose stack leads on into the body", () => {
    const body = start(`async function helper() {
  return await a();
}
async function main() {
  try { await helper(); } catch (error) { return [error instanceof TypeError, error.code, error.cause.message, error.stack]; }
}`);
    const error = Object.assign(new TypeError("no such row", { cause: new Error("disk") }), {
      code: "E_ROW",
    });
    error.stack = "TypeError: no such row\n    at read (lib/db.ts:4:9)";
    body.reject(`${STEP_A}#0`, error);
    const [isTypeError, code, cause, stack] = body.output() as [boolean, string, string, string];
    expect([isTypeError, code, cause]).toEqual([true, "E_ROW", "disk"]);
    expect(stack.split("\n").map((line) => line.trim())).toEqual([
      "TypeError: no such row",
      "at read (lib/db.ts:4:9)",
      "at async helper (eve:/workflow.cjs:12:10)",
      "at async main (eve:/workflow.cjs:15:9)",
    ]);
  });

  test("whose arguments can't be carried fail at the call, catchably, with the place", () => {
    const output = evaluate(`
      const seen = [];
      for (const args of [[{ user: { save() {} } }], [1, Symbol("s")], [[new WeakMap()]], [new (class Cart {})()], [Promise.resolve()]]) {
        try { await a(...args); } catch (error) { seen.push([error.name, error.code, error.message, error instanceof Error]); }
      }
      return seen;`) as string[][];
    expect(output.map(([, , message]) => message)).toEqual([
      "args[0].user.save is a function",
      "args[1] is a symbol",
      "args[0][0] is a WeakMap, which can't be carried",
      expect.stringMatching(/^args\[0\] is an instance of class Cart: pass plain data/) as string,
      "args[0] is a promise: await it first",
    ]);
    expect(
      output.every(
        ([name, code, , isError]) =>
          name === "SerializationError" && code === "SERIALIZATION_FAILED" && isError,
      ),
    ).toBe(true);
  });

  test("can be passed on as references", () => {
    const body = start(`async function main() { const back = await a(b); return await back("again"); }`);
    const [reference] = createReader().decode((body.operations[0] as { args: string }).args) as [
      { stepId: string },
    ];
    expect(reference).toEqual({ stepId: STEP_B });
    body.pump({ type: "resolve", key: `${STEP_A}#0`, value: `[["Step",1],{"stepId":2},"${STEP_B}"]` });
    expect(body.operations[1]).toMatchObject({ op: "step", stepId: STEP_B });
  });
});

function createReader() {
  return { decode: (text: string) => codecWithSteps.decode(text) };
}
const codecWithSteps = (await import("../values/host.js")).createHostCodec({
  step: (stepId) => ({ stepId }),
});

describe("sleep", () => {
  test("takes milliseconds, texts and dates, from the body's clock", () => {
    const body = start(`async function main() {
      await Promise.all([sleep(1500), sleep("2 days"), sleep(new Date(77)), sleep("1.5h"), sleep(0)]);
      return Date.now();
    }`);
    expect(body.operations.map((op) => (op as { until: number }).until)).toEqual([
      T0 + 1500,
      T0 + 172_800_000,
      77,
      T0 + 5_400_000,
      T0,
    ]);
    for (let n = 0; n < 5; n += 1)
      body.pump({ type: "resolve", key: `sleep#${n}`, value: "-1", at: T0 + 10 * n });
    expect(body.output()).toBe(T0 + 40);
  });

  test.each([
    "-1",
    "NaN",
    "Infinity",
    '"soon"',
    '""',
    '"-5s"',
    "undefined",
    "null",
    "{}",
    "new Date(NaN)",
    "true",
  ])("rejects %s with a TypeError", (until) => {
    expect(
      evaluate(`try { await sleep(${until}); } catch (e) { return [e instanceof TypeError, e.message]; }`),
    ).toEqual([true, expect.stringMatching(/^sleep\(\) (?:takes|got)/)]);
  });

  test("one pending operation can be raced several times", () => {
    const body = start(`async function main() {
      const pending = a();
      const first = await Promise.race([pending, sleep("4h")]);
      if (first === undefined) await b();
      return [first, await Promise.race([pending, sleep("20h")])];
    }`);
    body.resolve("sleep#0");
    body.resolve(`${STEP_B}#0`);
    body.resolve(`${STEP_A}#0`, "answered");
    expect(body.output()).toEqual([undefined, "answered"]);
  });
});

describe("the outcome", () => {
  test("of a body that throws carries its error with the body's own frames", () => {
    const body = start(`function check(row) {
  throw Object.assign(new RangeError("negative total in " + row), { row });
}
async function main() {
  await a();
  check("r1");
}`);
    body.resolve(`${STEP_A}#0`);
    const error = body.error();
    expect(error).toBeInstanceOf(RangeError);
    expect(error.row).toBe("r1");
    expect(error.stack).toBe(
      [
        "RangeError: negative total in r1",
        "    at check (eve:/workflow.cjs:12:23)",
        "    at main (eve:/workflow.cjs:16:3)",
      ].join("\n"),
    );
  });

  test.each([
    ['"text"', 'The body threw something that is not an Error: "text"', "text"],
    ["undefined", "The body threw something that is not an Error: undefined", undefined],
    ["{ a: 1 }", 'The body threw something that is not an Error: {"a":1}', { a: 1 }],
    ["{ toString() { throw 1 } }", expect.stringContaining("can't be shown"), undefined],
    ["Object.create(null)", expect.stringContaining("can't be shown"), {}],
  ])("of a body that throws %s is an error", (thrown, message, cause) => {
    const body = start(`async function main() { throw ${thrown}; }`);
    expect(body.error().message).toEqual(message);
    expect(body.error().cause).toEqual(cause);
  });

  test("of a result that can't be carried is a failure", () => {
    expect(start("async function main() { return { when: () => 1 }; }").error()).toMatchObject({
      name: "SerializationError",
      message: "result.when is a function",
    });
  });

  test("of an unknown workflow names it", () => {
    const bundle = compileWorkflowBundle("globalThis.__private_workflows = new Map();");
    const begin = {
      runId: "r",
      workflowId: "workflow//./x//y",
      args: "[[]]",
      seed: "00".repeat(16),
      startedAt: 0,
      metadata: "{}",
    };
    const body = createBody(begin, bundle, { hookToken: () => "t", webhookUrl: () => "u" });
    const { outcome } = body.pump({ type: "start", at: 0 });
    expect(outcome?.status === "failed" && codec.decode(outcome.error)).toMatchObject({
      name: "WorkflowNotFoundError",
      code: "WORKFLOW_NOT_FOUND",
      message: expect.stringContaining('"workflow//./x//y"') as string,
    });
  });

  test("of a module that throws while it is evaluated is a failure of the run", () => {
    const bundle = compileWorkflowBundle("throw new Error('top level');");
    const begin = {
      runId: "r",
      workflowId: "w",
      args: "[[]]",
      seed: "00".repeat(16),
      startedAt: 0,
      metadata: "{}",
    };
    const body = createBody(begin, bundle, { hookToken: () => "t", webhookUrl: () => "u" });
    const { outcome } = body.pump({ type: "start", at: 0 });
    expect(outcome?.status === "failed" && codec.decode(outcome.error)).toMatchObject({
      message: "top level",
    });
  });

  test("ends the asking: what the body left running asks for nothing more", () => {
    const body = start(`async function main() {
      void (async () => { await null; await null; await null; await a("late"); })();
      void b("before");
      return 1;
    }`);
    expect(body.operations).toMatchObject([{ stepId: STEP_B }]);
  });
});

describe("a body", () => {
  test("is pumped in order only", () => {
    const bundle = compileWorkflowBundle(
      "globalThis.__private_workflows = new Map([['w', async () => globalThis[Symbol.for('WORKFLOW_CREATE_HOOK')]().token]]);",
    );
    const begin = {
      runId: "r",
      workflowId: "w",
      args: "[[]]",
      seed: "00".repeat(16),
      startedAt: 0,
      metadata: "{}",
    };
    let nested: unknown;
    const body = createBody(begin, bundle, {
      hookToken: () => {
        try {
          body.pump({ type: "start", at: 0 });
        } catch (error) {
          nested = error;
        }
        return "t";
      },
      webhookUrl: () => "u",
    });
    expect(() => body.pump({ type: "resolve", at: 0, key: "x", value: "1" })).toThrow(/takes "start"/);
    expect(body.pump({ type: "start", at: 0 }).outcome).toEqual({ status: "completed", output: '["t"]' });
    expect(nested).toMatchObject({ code: "BODY_STATE" });
    expect(() => body.pump({ type: "resolve", at: 0, key: "x", value: "1" })).toThrow(/has ended/);
    body.dispose();
    expect(() => body.pump({ type: "resolve", at: 0, key: "x", value: "1" })).toThrow(/disposed/);
  });

  test("gets module state of its own", () => {
    const bundle = compileWorkflowBundle(
      "let n = 0; globalThis.__private_workflows = new Map([['w', async () => (globalThis.leak = (globalThis.leak ?? 0) + 1, ++n)]]);",
    );
    const begin = {
      runId: "r",
      workflowId: "w",
      args: "[[]]",
      seed: "00".repeat(16),
      startedAt: 0,
      metadata: "{}",
    };
    for (let i = 0; i < 2; i += 1) {
      const body = createBody(begin, bundle, { hookToken: () => "t", webhookUrl: () => "u" });
      expect(body.pump({ type: "start", at: 0 }).outcome).toMatchObject({ output: "[1]" });
    }
  });

  test("can be compiled from a code cache", () => {
    const code = "globalThis.__private_workflows = new Map();";
    const cache = bundleCache(compileWorkflowBundle(code));
    expect(compileWorkflowBundle(code, { cachedData: cache }).script.cachedDataRejected).toBe(false);
  });

  test("of broken text is refused with a reason", () => {
    expect(() => compileWorkflowBundle("function {")).toThrow(
      expect.objectContaining({
        code: "BUNDLE_SYNTAX",
        message: expect.stringContaining("workflow.cjs") as string,
      }) as Error,
    );
  });

  test("that never yields is stopped by the timeout", () => {
    const loop = "async function main() { for (;;) await null; }";
    expect(() => start(loop, { timeout: 50 })).toThrow(
      expect.objectContaining({
        code: "BODY_TIMEOUT",
        message: expect.stringContaining("run run_1") as string,
      }) as Error,
    );
    expect(() => start("async function main() { for (;;) {} }", { timeout: 50 })).toThrow(
      expect.objectContaining({ code: "BODY_TIMEOUT" }) as Error,
    );
  });

  test("runs 10,000 sequential and 10,000 parallel operations", () => {
    const sequential = start(
      "async function main() { let n = 0; for (let i = 0; i < 10000; i++) n += await a(i); return n; }",
    );
    for (let i = 0; i < 10_000; i += 1) sequential.resolve(`${STEP_A}#${i}`, 1);
    expect(sequential.output()).toBe(10_000);
    const parallel = start(
      "async function main() { return (await Promise.all(Array.from({ length: 10000 }, (_, i) => a(i)))).length; }",
    );
    expect(parallel.operations).toHaveLength(10_000);
    for (let i = 9_999; i >= 0; i -= 1) parallel.resolve(`${STEP_A}#${i}`, i);
    expect(parallel.output()).toBe(10_000);
  });
});
