import { describe, expect, test } from "vitest";
import { replayRun } from "../inspect/replay.js";
import { showRun } from "../inspect/show.js";
import { HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("After a cancel aborts the signal, the run waits up to 30 seconds for the body to unwind", () => {
  test("a body whose step received the signal unwinds and ends as cancelled; what it returns is discarded", async () => {
    const steps = {
      wait: (signal: unknown) =>
        new Promise((_resolve, reject) => {
          (signal as AbortSignal).addEventListener("abort", () =>
            reject(Object.assign(new Error("stop"), { fatal: true })),
          );
        }),
      cleanUp: () => "cleaned",
    };
    await scenario.open(
      {
        tool: `async (input, ctx) => {
          try { return await step("wait")(ctx.abortSignal); }
          finally { if (ctx.abortSignal.aborted) await step("cleanUp")(); }
        }`,
      },
      steps,
    );
    const runId = await scenario.call();
    await scenario.harness.engine.cancel(runId, { reason: "not needed" });
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    const log = await scenario.harness.store.log(runId);
    expect(log.filter((entry) => entry.event.type === "step-completed")).toMatchObject([
      { event: { key: "cleanUp#0" } },
    ]);
    expect(log.at(-1)?.event).toEqual({ type: "run-ended", status: "cancelled" });
  });

  test("a body parked on a hook or a sleep is abandoned when the grace ends, also after a restart", async () => {
    await scenario.open({ tool: `async () => { await createHook({ token: "t" }); }` });
    const runId = await scenario.call();
    await scenario.harness.engine.cancel(runId);
    await scenario.harness.clock.advance(15_000);
    await scenario.harness.crash();
    await scenario.harness.clock.advance(14_999);
    expect(await scenario.status(runId)).toBe("waiting");
    await scenario.harness.clock.advance(1);
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    await expect(scenario.harness.engine.resumeHook("t", 1)).rejects.toMatchObject({
      code: "HOOK_NOT_FOUND",
    });
  });

  test("who cancels waits for the end; the signal observed by a body at once ends the wait at once", async () => {
    await scenario.open({
      tool: `async (input, ctx) => await new Promise((resolve) => ctx.abortSignal.addEventListener("abort", resolve))`,
    });
    const runId = await scenario.call();
    expect(await scenario.harness.engine.cancelAndWait(runId)).toEqual({ status: "cancelled" });
  });

  test("cancelling twice, or after the end, changes nothing", async () => {
    await scenario.open({ tool: `async () => { await sleep("1h"); }` });
    const runId = await scenario.call();
    await scenario.harness.engine.cancel(runId);
    await scenario.harness.engine.cancel(runId);
    await scenario.harness.clock.advance(30_000);
    await scenario.harness.engine.cancel(runId);
    expect((await scenario.types(runId)).filter((type) => type === "cancel-requested")).toHaveLength(1);
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
  });

  test("an unknown run can't be cancelled", async () => {
    await scenario.open({ tool: `async () => {}` });
    await expect(scenario.harness.engine.cancel("wrun_none")).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
    });
  });
});

describe("Once a run is cancelled, what it had asked for before isn't tried again", () => {
  /** The body's own account of how its first step ended; then it ends without asking for more. */
  const account = `async function* () {
    try { await step("first")(); }
    catch (error) { yield { name: error.name, message: error.message, isAbort: error instanceof DOMException }; throw error; }
    await step("second")();
  }`;
  const progress = async (runId: string) => (await showRun(scenario.harness.store, runId)).progress;
  const texts = async (runId: string) =>
    (await showRun(scenario.harness.store, runId)).timeline.map(({ text }) => text);

  test("a step whose process died rejects with an AbortError; the body's next step never begins", async () => {
    const calls: string[] = [];
    await scenario.open(
      { tool: account },
      {
        first: () => {
          calls.push("first");
          return new Promise(() => undefined);
        },
        second: () => calls.push("second"),
      },
    );
    const runId = await scenario.call();
    await scenario.harness.reopen();
    expect(await scenario.harness.engine.cancelAndWait(runId)).toEqual({ status: "cancelled" });
    expect(calls).toEqual(["first"]);
    expect(await progress(runId)).toEqual([
      {
        name: "AbortError",
        message:
          "The process ended while attempt 1 of step first ran; it isn't tried again, because the run was cancelled",
        isAbort: true,
      },
    ]);
  });

  test("the same when the process dies after the cancellation was recorded", async () => {
    let calls = 0;
    await scenario.open(
      { tool: account },
      {
        first: () => {
          calls += 1;
          return new Promise(() => undefined);
        },
      },
    );
    const runId = await scenario.call();
    await scenario.harness.engine.cancel(runId);
    await scenario.harness.crash();
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    expect(calls).toBe(1);
    expect(await progress(runId)).toMatchObject([{ name: "AbortError" }]);
  });

  test("an attempt that fails later rejects with its own error", async () => {
    let fail: (error: Error) => void = () => undefined;
    let calls = 0;
    await scenario.open(
      { tool: account },
      {
        first: () => {
          calls += 1;
          return new Promise((_resolve, reject) => (fail = reject));
        },
      },
    );
    const runId = await scenario.call();
    await scenario.harness.engine.cancel(runId);
    fail(new RangeError("too far"));
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    expect(calls).toBe(1);
    expect(await progress(runId)).toMatchObject([{ name: "RangeError", message: "too far" }]);
    expect(await texts(runId)).toContain(
      "step first failed: too far; not tried again, as the run was cancelled",
    );
  });

  test("a step that waits for its retry rejects at once with what its last attempt failed with", async () => {
    let calls = 0;
    await scenario.open(
      { tool: account },
      {
        first: () => {
          calls += 1;
          throw new RangeError("too far");
        },
      },
    );
    const runId = await scenario.call();
    await scenario.harness.clock.advance(500);
    await scenario.harness.engine.cancel(runId);
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    expect(calls).toBe(1);
    expect(await progress(runId)).toMatchObject([{ name: "RangeError", message: "too far" }]);
    const { steps } = await showRun(scenario.harness.store, runId);
    expect(steps).toMatchObject([{ status: "failed", attempts: 1, history: [{ durationMs: 0 }] }]);
  });

  test("a step that has no slot yet never begins", async () => {
    const calls: unknown[] = [];
    await scenario.open(
      {
        tool: `async () => {
          const all = await Promise.allSettled([step("slow")(1), step("slow")(2)]);
          await step("note")(all.map(({ reason }) => reason?.message));
        }`,
      },
      {
        slow: (n) => {
          calls.push(n);
          return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
        },
        note: (messages) => calls.push(messages),
      },
      { limits: { stepConcurrency: 1 } },
    );
    const runId = await scenario.harness.engine.startRun({ tool: "tool", input: {} });
    await scenario.harness.engine.cancel(runId);
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    expect(calls).toEqual([1, [undefined, "Step slow was not started, because the run was cancelled"]]);
    expect(await texts(runId)).toContain("step slow not started: the run was cancelled");
  });

  test("a step asked for after it, to clean up, is retried as ever", async () => {
    let calls = 0;
    await scenario.open(
      {
        tool: `async (input, ctx) => {
          await new Promise((resolve) => ctx.abortSignal.addEventListener("abort", resolve));
          await step("cleanUp")();
        }`,
      },
      {
        cleanUp: () => {
          calls += 1;
          if (calls < 3) throw new Error("not yet");
        },
      },
    );
    const runId = await scenario.call();
    await scenario.harness.engine.cancel(runId);
    await scenario.harness.clock.advance(5_000);
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    expect(calls).toBe(3);
  });

  test("what followed from an overdue sleep isn't begun either", async () => {
    const calls: string[] = [];
    await scenario.open(
      { tool: `async () => { await sleep("1h"); await step("deploy")(); }` },
      { deploy: () => calls.push("deploy") },
    );
    const runId = await scenario.call();
    scenario.harness.clock.jump(2 * HOUR);
    await scenario.harness.reopen();
    expect(await scenario.harness.engine.cancelAndWait(runId)).toEqual({ status: "cancelled" });
    expect(calls).toEqual([]);
  });

  test("the log of such a run replays", async () => {
    await scenario.open({ tool: account }, { first: () => new Promise(() => undefined) });
    const runId = await scenario.call();
    await scenario.harness.reopen();
    await scenario.harness.engine.cancelAndWait(runId);
    const { store, builds } = scenario.harness;
    expect(await replayRun(store, builds, runId)).toEqual({ status: "identical", runId });
  });
});
