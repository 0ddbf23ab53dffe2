import { describe, expect, test } from "vitest";
import { showRun } from "../inspect/show.js";
import type { RunEvent } from "../log/events.js";
import { useScenario } from "../testing/scenario.js";

const scenario = useScenario();

/** An error as the bundle of an app would throw it. */
function named(name: string, message: string, more: object = {}): Error {
  const error = new Error(message);
  error.name = name;
  return Object.assign(error, more);
}

describe("A thrown error in a step retries per the step's policy; FatalError does not", () => {
  test("three retries by default, after 1, 2 and 4 seconds, then StepError with the last cause", async () => {
    const at: number[] = [];
    await scenario.open(
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
          at.push(scenario.harness.clock.now());
          throw new Error(`boom ${at.length}`);
        },
      },
    );
    const { result } = await scenario.start();
    await scenario.harness.clock.advance(60_000);
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
    await scenario.open({ w: `async () => await step("once")()` }, { once });
    const { result } = await scenario.start();
    await scenario.harness.clock.advance(10_000);
    expect(await result).toMatchObject({
      status: "failed",
      error: { name: "StepError", message: "Step once failed after 1 retry: no" },
    });
    expect(calls).toBe(2);
  });

  test("the stack names the last cause's class; the history has each attempt's own error, in plain words", async () => {
    const broken = Object.assign(
      () => {
        throw new TypeError("step is broken");
      },
      { maxRetries: 1 },
    );
    await scenario.open({ w: `async () => await step("broken")()` }, { broken });
    const { runId, result } = await scenario.start();
    await scenario.harness.clock.advance(1_000);
    expect(await result).toMatchObject({
      error: {
        stack: expect.stringMatching(
          /^StepError: Step broken failed after 1 retry: step is broken\nCaused by TypeError: step is broken\n {4}at /,
        ),
      },
    });
    const { timeline, steps } = await showRun(scenario.harness.store, runId);
    expect(timeline.map(({ text }) => text).filter((text) => text.includes("failed"))).toEqual([
      "step broken failed: step is broken; next attempt 2026-01-01T00:00:01.000Z",
      "step broken failed (attempt 2): step is broken",
      "failed: Step broken failed after 1 retry: step is broken",
    ]);
    expect(steps).toMatchObject([
      {
        error: { name: "StepError" },
        history: [
          { error: { name: "TypeError" } },
          { error: { name: "TypeError", message: "step is broken" } },
        ],
      },
    ]);
  });

  test("followers learn why an attempt is repeated", async () => {
    let calls = 0;
    await scenario.open(
      { w: `async () => await step("flaky")()` },
      {
        flaky: () => {
          calls += 1;
          if (calls === 1) throw new Error("busy");
          return "ok";
        },
      },
    );
    const { runId } = await scenario.start();
    const retrying: RunEvent[] = [];
    await scenario.harness.clock.advance(1_000);
    for await (const event of scenario.harness.engine.run(runId).events()) {
      if (event.type === "step" && event.phase === "retrying") retrying.push(event);
    }
    expect(retrying).toEqual([
      expect.objectContaining({ attempt: 1, message: "busy", retryAt: expect.any(Number) }),
    ]);
    expect(retrying[0]).not.toHaveProperty("crashed");
  });

  test("a later attempt that succeeds gives its value", async () => {
    let calls = 0;
    await scenario.open(
      { w: `async () => await step("third")()` },
      {
        third: () => {
          calls += 1;
          if (calls < 3) throw new Error("not yet");
          return calls;
        },
      },
    );
    const { result } = await scenario.start();
    await scenario.harness.clock.advance(5_000);
    expect(await result).toEqual({ status: "completed", output: 3 });
  });

  test("FatalError isn't retried and reaches the body with its name, message and data", async () => {
    let calls = 0;
    await scenario.open(
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
    const { result } = await scenario.start();
    expect(await result).toEqual({
      status: "completed",
      output: { name: "FatalError", message: "card refused", fatal: true, code: 402 },
    });
    expect(calls).toBe(1);
  });

  test("RetryableError decides when the next attempt starts", async () => {
    const at: number[] = [];
    await scenario.open(
      { w: `async () => await step("later")()` },
      {
        later: () => {
          at.push(scenario.harness.clock.now());
          if (at.length > 1) return "ok";
          throw named("RetryableError", "busy", {
            retryAfter: new Date(scenario.harness.clock.now() + 30_000),
          });
        },
      },
    );
    const { result } = await scenario.start();
    await scenario.harness.clock.advance(29_000);
    expect(at).toHaveLength(1);
    await scenario.harness.clock.advance(2_000);
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
    await scenario.open({ w: `async () => await step("odd")()` }, { odd: step });
    const { result } = await scenario.start();
    expect(await result).toMatchObject({
      status: "failed",
      error: { message: `Step odd failed (no retries allowed): ${message}` },
    });
  });

  test("a maxRetries that is no number fails the step by name", async () => {
    const step = Object.assign(
      () => {
        throw new Error("x");
      },
      { maxRetries: "many" },
    );
    await scenario.open({ w: `async () => await step("odd")()` }, { odd: step });
    expect(await (await scenario.start()).result).toMatchObject({
      error: { message: expect.stringContaining("maxRetries must be") },
    });
  });
});
