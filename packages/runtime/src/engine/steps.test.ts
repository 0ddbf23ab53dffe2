import type { EveHost } from "eve/internal/host-api";
import { HOST } from "eve/internal/symbols";
import { afterEach, describe, expect, test } from "vitest";
import type { StepFunction } from "../builds/server-module.js";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness, type Harness } from "../testing/harness.js";
import type { EngineOptions } from "./options.js";

let harness: Harness;

afterEach(() => harness?.close());

const host = () => (globalThis as unknown as { [HOST]: EveHost })[HOST];

async function open(
  workflows: Record<string, string>,
  steps: Record<string, StepFunction> = {},
  options: Partial<EngineOptions> = {},
): Promise<void> {
  harness = await openHarness(testBuilds(testBuild({ workflows, steps })), options);
}

async function run(workflowId = "w", args: unknown[] = []) {
  const runId = await harness.engine.startRun({ workflowId, args });
  return { runId, result: harness.engine.run(runId).result() };
}

const types = async (runId: string) => (await harness.store.log(runId)).map((entry) => entry.event.type);

/** An error as the bundle of an app would throw it. */
function named(name: string, message: string, more: object = {}): Error {
  const error = new Error(message);
  error.name = name;
  return Object.assign(error, more);
}

describe("A thrown error in a step retries per the step's policy; FatalError does not", () => {
  test("three retries by default, after 1, 2 and 4 seconds, then StepError with the last cause", async () => {
    const at: number[] = [];
    await open(
      {
        w: `async () => {
          try { await step("flaky")(); }
          catch (error) {
            return { name: error.name, message: error.message, stepId: error.stepId, attempts: error.attempts, cause: error.cause.message };
          }
        }`,
      },
      {
        flaky: () => {
          at.push(harness.clock.now());
          throw new Error(`boom ${at.length}`);
        },
      },
    );
    const { result } = await run();
    await harness.clock.advance(60_000);
    expect(await result).toEqual({
      status: "completed",
      output: {
        name: "StepError",
        message: "Step flaky failed after 3 retries: boom 4",
        stepId: "flaky",
        attempts: 4,
        cause: "boom 4",
      },
    });
    expect(at.map((time) => time - (at[0] as number))).toEqual([0, 1_000, 3_000, 7_000]);
  });

  test("maxRetries of the function decides; one retry is named as one", async () => {
    let calls = 0;
    const once = Object.assign(
      () => {
        calls += 1;
        throw new Error("no");
      },
      { maxRetries: 1 },
    );
    await open({ w: `async () => await step("once")()` }, { once });
    const { result } = await run();
    await harness.clock.advance(10_000);
    expect(await result).toMatchObject({
      status: "failed",
      error: { name: "StepError", message: "Step once failed after 1 retry: no" },
    });
    expect(calls).toBe(2);
  });

  test("a later attempt that succeeds gives its value", async () => {
    let calls = 0;
    await open(
      { w: `async () => await step("third")()` },
      {
        third: () => {
          calls += 1;
          if (calls < 3) throw new Error("not yet");
          return calls;
        },
      },
    );
    const { result } = await run();
    await harness.clock.advance(5_000);
    expect(await result).toEqual({ status: "completed", output: 3 });
  });

  test("FatalError isn't retried and reaches the body with its name, message and data", async () => {
    let calls = 0;
    await open(
      {
        w: `async () => {
          try { await step("fatal")(); }
          catch (error) { return { name: error.name, message: error.message, fatal: error.fatal, code: error.code }; }
        }`,
      },
      {
        fatal: () => {
          calls += 1;
          throw named("FatalError", "card refused", { fatal: true, code: 402 });
        },
      },
    );
    const { result } = await run();
    expect(await result).toEqual({
      status: "completed",
      output: { name: "FatalError", message: "card refused", fatal: true, code: 402 },
    });
    expect(calls).toBe(1);
  });

  test("RetryableError decides when the next attempt starts", async () => {
    const at: number[] = [];
    await open(
      { w: `async () => await step("later")()` },
      {
        later: () => {
          at.push(harness.clock.now());
          if (at.length > 1) return "ok";
          throw named("RetryableError", "busy", { retryAfter: new Date(harness.clock.now() + 30_000) });
        },
      },
    );
    const { result } = await run();
    await harness.clock.advance(29_000);
    expect(at).toHaveLength(1);
    await harness.clock.advance(2_000);
    expect(await result).toEqual({ status: "completed", output: "ok" });
    expect((at[1] as number) - (at[0] as number)).toBe(30_000);
  });

  test.each([
    ["a text", () => "just text", "just text"],
    ["nothing", () => undefined, "undefined"],
    ["a function", () => () => 1, "() => 1"],
  ])("a step that throws %s fails like any other", async (_name, thrown, message) => {
    const step = Object.assign(
      () => {
        throw thrown();
      },
      { maxRetries: 0 },
    );
    await open({ w: `async () => await step("odd")()` }, { odd: step });
    const { result } = await run();
    expect(await result).toMatchObject({
      status: "failed",
      error: { message: `Step odd failed after 0 retries: ${message}` },
    });
  });

  test("a maxRetries that is no number fails the step by name", async () => {
    const step = Object.assign(
      () => {
        throw new Error("x");
      },
      { maxRetries: "many" },
    );
    await open({ w: `async () => await step("odd")()` }, { odd: step });
    expect(await (await run()).result).toMatchObject({
      error: { message: expect.stringContaining("maxRetries must be") },
    });
  });
});

describe("values of steps", () => {
  test("a result that can't be carried fails at the call, catchable, with the path, and isn't retried", async () => {
    let calls = 0;
    await open(
      { w: `async () => { try { await step("odd")(); } catch (error) { return error.message; } }` },
      {
        odd: () => {
          calls += 1;
          return { user: { save: () => 1 } };
        },
      },
    );
    expect(await (await run()).result).toEqual({
      status: "completed",
      output: "result.user.save is a function",
    });
    expect(calls).toBe(1);
  });

  test("a result larger than the limit is refused by name and size", async () => {
    await open(
      { w: `async () => { try { await step("big")(); } catch (error) { return error.code; } }` },
      { big: () => "x".repeat(2_000) },
      { limits: { valueSize: 1_000 } },
    );
    expect(await (await run()).result).toEqual({ status: "completed", output: "VALUE_TOO_LARGE" });
  });

  test("Map, Set, Date, BigInt and cycles come through both ways", async () => {
    await open(
      {
        w: `async () => {
          const value = { map: new Map([[1, new Set(["a"])]]), date: new Date(5), big: 10n };
          value.self = value;
          const back = await step("echo")(value);
          return [back.map.get(1).has("a"), back.date instanceof Date, back.date.getTime(), back.big === 10n, back.self === back];
        }`,
      },
      { echo: (value) => value },
    );
    expect(await (await run()).result).toEqual({ status: "completed", output: [true, true, 5, true, true] });
  });

  test("a step that the build doesn't have fails by name", async () => {
    await open({ w: `async () => await step("step//./a//gone")()` });
    expect(await (await run()).result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("step//./a//gone") },
    });
  });
});

describe("parallel steps", () => {
  test("run at once up to stepConcurrency", async () => {
    let now = 0;
    let most = 0;
    await open(
      {
        w: `async () => { await Promise.all(Array.from({ length: 20 }, (_, i) => step("work")(i))); return "done"; }`,
      },
      {
        work: async () => {
          now += 1;
          most = Math.max(most, now);
          await new Promise((resolve) => setImmediate(resolve));
          now -= 1;
        },
      },
      { limits: { stepConcurrency: 3 } },
    );
    expect(await (await run()).result).toEqual({ status: "completed", output: "done" });
    expect(most).toBe(3);
  });

  test("what is ready at once shares a commit", async () => {
    let commits = 0;
    await open(
      { w: `async () => (await Promise.all(Array.from({ length: 100 }, (_, i) => step("id")(i)))).length` },
      { id: (value) => value },
      {
        faults: ({ at }) => {
          if (at === "after-commit") commits += 1;
        },
      },
    );
    expect(await (await run()).result).toEqual({ status: "completed", output: 100 });
    expect(commits).toBeLessThan(6);
  });

  test("a race has the same winner on every replay", async () => {
    await open(
      {
        w: `async () => {
          const first = await Promise.race([step("slow")(), step("fast")()]);
          const hook = createHook({ token: "t" });
          await hook;
          return first;
        }`,
      },
      {
        slow: () => new Promise((resolve) => setTimeout(() => resolve("slow"), 20)),
        fast: () => "fast",
      },
    );
    const { runId } = await run();
    await harness.engine.run(runId).idle();
    await harness.restart();
    await harness.engine.resumeHook("t", null);
    expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: "fast" });
  });
});

describe("at-least-once", () => {
  test("after a crash only the step in flight runs again, and the crash counts as an attempt", async () => {
    const calls: string[] = [];
    let hang = true;
    await open(
      { w: `async () => [await step("a")(), await step("b")()]` },
      {
        a: () => {
          calls.push("a");
          return 1;
        },
        b: () => {
          calls.push("b");
          return hang ? new Promise(() => undefined) : 2;
        },
      },
    );
    const { runId } = await run();
    await harness.clock.settle();
    hang = false;
    await harness.restart();
    await harness.clock.settle();
    expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: [1, 2] });
    expect(calls).toEqual(["a", "b", "b"]);
    const log = await harness.store.log(runId);
    const failed = log.find((entry) => entry.event.type === "step-failed")?.event;
    expect(failed).toMatchObject({ key: "b#0", attempt: 1, crashed: true });
    expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index));
  });

  test("a step that kills its process every time ends as StepError", async () => {
    await open(
      { w: `async () => await step("deadly")()` },
      { deadly: Object.assign(() => new Promise(() => undefined), { maxRetries: 2 }) },
    );
    const { runId } = await run();
    for (let crash = 0; crash < 3; crash += 1) {
      await harness.clock.settle();
      await harness.restart();
    }
    await harness.clock.settle();
    expect(await harness.engine.run(runId).result()).toMatchObject({
      status: "failed",
      error: {
        name: "StepError",
        message: expect.stringContaining("failed after 2 retries: The process ended while"),
      },
    });
  });

  test("a retry that was due while nobody ran is made up for", async () => {
    let calls = 0;
    await open(
      { w: `async () => await step("flaky")()` },
      {
        flaky: () => {
          calls += 1;
          if (calls === 1) throw new Error("once");
          return "ok";
        },
      },
    );
    const { runId } = await run();
    await harness.clock.settle();
    expect(calls).toBe(1);
    harness.clock.jump(3_600_000);
    await harness.restart();
    await harness.clock.settle();
    expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: "ok" });
  });

  test("the idempotency key is the same in every attempt, and the attempt counts up", async () => {
    const seen: unknown[] = [];
    await open(
      { w: `async () => await step("meta")()` },
      {
        meta: () => {
          const { stepId, attempt, runId, stepName } = host().currentStep() ?? {};
          seen.push([stepId === `${runId}/meta#0`, attempt, stepName]);
          if (attempt === 1) throw new Error("again");
          return "ok";
        },
      },
    );
    const { result } = await run();
    await harness.clock.advance(1_000);
    expect(await result).toEqual({ status: "completed", output: "ok" });
    expect(seen).toEqual([
      [true, 1, "meta"],
      [true, 2, "meta"],
    ]);
  });
});

describe("when a body ends, its run ends at once", () => {
  test("running steps see their signals abort, and their results are dropped", async () => {
    let aborted = false;
    let finish = (_value: string) => {};
    await open(
      {
        w: `async () => {
          const controller = new AbortController();
          step("long")(controller.signal);
          return await step("short")();
        }`,
      },
      {
        long: (signal) =>
          new Promise((resolve) => {
            finish = resolve;
            (signal as AbortSignal).addEventListener("abort", () => (aborted = true));
          }),
        short: () => "returned",
      },
    );
    const { runId, result } = await run();
    expect(await result).toEqual({ status: "completed", output: "returned" });
    await harness.clock.settle();
    expect(aborted).toBe(true);
    finish("too late");
    await harness.clock.settle();
    expect((await types(runId)).at(-1)).toBe("run-ended");
    expect(harness.problems).toEqual([]);
  });

  test("a step that waits for its retry gets no new attempt", async () => {
    let calls = 0;
    await open(
      { w: `async () => { step("flaky")().catch(() => {}); await sleep(500); return "done"; }` },
      {
        flaky: () => {
          calls += 1;
          throw new Error("x");
        },
      },
    );
    const { result } = await run();
    await harness.clock.advance(60_000);
    expect(await result).toEqual({ status: "completed", output: "done" });
    expect(calls).toBe(1);
  });
});

describe("runs started by steps", () => {
  test("a chain of runs that wait for each other needs one slot, at depth 4", async () => {
    await open(
      {
        w: `async (depth) => depth === 0 ? await step("leaf")() : 1 + await step("child")(depth - 1)`,
      },
      {
        leaf: () => 0,
        child: async (depth) => await (await host().start("w", [depth])).returnValue,
      },
      { limits: { stepConcurrency: 1 } },
    );
    const { runId, result } = await run("w", [4]);
    expect(await result).toEqual({ status: "completed", output: 4 });
    const runs = await harness.store.runs();
    expect(runs.map((row) => row.depth).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(runs.filter((row) => row.parentRunId === runId)).toHaveLength(1);
  });

  test("a child's error is the step's error, with name and message", async () => {
    await open(
      {
        w: `async () => { try { await step("child")(); } catch (error) { return [error.cause.name, error.cause.message]; } }`,
        bad: `async () => { throw new RangeError("too far"); }`,
      },
      {
        child: Object.assign(async () => await (await host().start("bad", [])).returnValue, {
          maxRetries: 0,
        }),
      },
    );
    expect(await (await run()).result).toEqual({ status: "completed", output: ["RangeError", "too far"] });
  });

  test("a handle tells what the run is", async () => {
    await open(
      {
        w: `async () => await step("look")()`,
        "workflow//./a//child": `async () => 7`,
      },
      {
        look: async () => {
          const child = await host().start("workflow//./a//child", []);
          const value = await child.returnValue;
          const missing = host().getRun("wrun_none");
          return [
            value,
            await child.exists,
            await child.status,
            await child.workflowName,
            (await child.createdAt) instanceof Date,
            (await child.completedAt) instanceof Date,
            await missing.exists,
          ];
        },
      },
    );
    expect(await (await run()).result).toEqual({
      status: "completed",
      output: [7, true, "completed", "child", true, true, false],
    });
  });
});
