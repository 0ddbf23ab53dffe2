import { describe, expect, test } from "vitest";
import { useScenario } from "../testing/scenario.js";

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
    await scenario.harness.restart();
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
