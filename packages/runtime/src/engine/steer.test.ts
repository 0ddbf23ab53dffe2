import { describe, expect, test } from "vitest";
import { replayRun } from "../inspect/replay.js";
import { testBuild, testBuilds } from "../testing/build.js";
import { HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("Stop early for a new message", () => {
  const waits = {
    wait: (signal: unknown) =>
      new Promise((_resolve, reject) => {
        (signal as AbortSignal).addEventListener("abort", () =>
          reject(Object.assign(new Error("stopped"), { name: "FatalError", fatal: true })),
        );
      }),
  };
  const REJECTS = `async (input, ctx) => await step("wait")(ctx.abortSignal)`;

  test("a body that rejects after the abort settles as { interrupted: true } instead of failing, also on replay", async () => {
    await scenario.open({ tool: REJECTS }, waits);
    const runId = await scenario.call();
    await scenario.harness.engine.abort(runId);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: { interrupted: true } });
    const build = testBuild({ workflows: { tool: REJECTS } });
    expect(await replayRun(scenario.harness.store, testBuilds(build), runId)).toEqual({
      status: "identical",
      runId,
    });
  });

  test("the call settles with what the body returns", async () => {
    await scenario.open({
      tool: `async (input, ctx) => {
        const stopped = new Promise((resolve) => ctx.abortSignal.addEventListener("abort", () => resolve("stopped"), { once: true }));
        const woke = await Promise.race([sleep("1h").then(() => "elapsed"), stopped]);
        return woke === "elapsed" ? { waitedSeconds: 3600 } : { interrupted: true, aborted: ctx.abortSignal.aborted };
      }`,
    });
    const early = await scenario.call();
    await scenario.harness.restart();
    await scenario.harness.engine.abort(early);
    expect(await scenario.result(early)).toEqual({
      status: "completed",
      output: { interrupted: true, aborted: true },
    });
    const late = await scenario.call();
    await scenario.harness.clock.advance(HOUR);
    expect(await scenario.result(late)).toEqual({ status: "completed", output: { waitedSeconds: 3600 } });
  });

  test("a body that doesn't observe the signal goes on until it finishes", async () => {
    await scenario.open({ tool: `async () => { await sleep("1h"); return "done"; }` });
    const runId = await scenario.call();
    await scenario.harness.engine.abort(runId);
    await scenario.harness.clock.advance(HOUR);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "done" });
  });

  test("a cancellation isn't steering: the run ends as cancelled", async () => {
    await scenario.open({ tool: REJECTS }, waits);
    const runId = await scenario.call();
    await scenario.harness.engine.cancel(runId);
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
  });
});
