import { describe, expect, test } from "vitest";
import { showRun } from "../inspect/show.js";
import { host, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

/** A step whose first attempts hang, and that then gives the number of its attempt. */
function hanging(times: number, options: { maxRetries: number }) {
  let calls = 0;
  return Object.assign(() => {
    calls += 1;
    return calls <= times ? new Promise(() => undefined) : host().currentStep()?.attempt;
  }, options);
}

describe("a graceful stop uses up no attempt", () => {
  test("a step without retries begins again with the next start, under the same number", async () => {
    await scenario.open({ w: `async () => await step("work")()` }, { work: hanging(2, { maxRetries: 0 }) });
    const runId = await scenario.run();
    await scenario.harness.restart();
    await scenario.harness.clock.settle();
    await scenario.harness.restart();
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: 1 });
    const { steps, timeline } = await showRun(scenario.harness.store, runId);
    expect(steps).toMatchObject([
      { status: "completed", attempts: 1, history: [{ stopped: true }, { stopped: true }, { attempt: 1 }] },
    ]);
    expect(timeline.map(({ text }) => text)).toContain(
      "step work stopped with its process; it begins again when the run is taken up",
    );
  });

  test("a kill still does", async () => {
    await scenario.open({ w: `async () => await step("work")()` }, { work: hanging(4, { maxRetries: 1 }) });
    const runId = await scenario.run();
    await scenario.harness.restart();
    await scenario.harness.clock.settle();
    await scenario.harness.crash();
    await scenario.harness.clock.settle();
    await scenario.harness.restart();
    await scenario.harness.clock.settle();
    expect(await scenario.status(runId)).toBe("running");
    await scenario.harness.crash();
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("Step work failed after 1 retry: The process ended while") },
    });
  });

  test("while it is down, the run is shown with a stopped step, and with the error of the attempt before", async () => {
    let calls = 0;
    const work = () => {
      calls += 1;
      if (calls === 1) throw new Error("busy");
      return new Promise(() => undefined);
    };
    await scenario.open({ w: `async () => await step("work")()` }, { work });
    const runId = await scenario.run();
    await scenario.harness.clock.advance(1_000);
    await scenario.harness.reopen();
    const { status, steps } = await showRun(scenario.harness.store, runId);
    expect(status).toBe("running");
    expect(steps).toMatchObject([{ status: "stopped", attempts: 1, error: { message: "busy" } }]);
  });

  test("closing waits for no step, and begins none", async () => {
    const begun: unknown[] = [];
    const work = (n: unknown) => {
      begun.push(n);
      return new Promise(() => undefined);
    };
    await scenario.open(
      { w: `async () => await Promise.all([step("work")(1), step("work")(2)])` },
      { work },
      { limits: { stepConcurrency: 1 } },
    );
    const runId = await scenario.run();
    await scenario.harness.reopen();
    expect(begun).toEqual([1]);
    expect((await scenario.types(runId)).filter((type) => type.startsWith("step-"))).toEqual([
      "step-created",
      "step-created",
      "step-started",
      "step-failed",
    ]);
  });
});

describe("a cancelled run's steps aren't tried again after a stop either", () => {
  const tool = `async (input, ctx) => {
    try { return await step("work")(); }
    catch (error) { await step("cleanUp")(error.name + ": " + error.message); throw error; }
  }`;
  const message =
    "AbortError: The process ended while attempt 1 of step work ran; it isn't tried again, because the run was cancelled";

  test.each([
    ["cancelled before the stop", true],
    ["cancelled after the stop", false],
  ])("%s", async (_name, before) => {
    const said: unknown[] = [];
    const work = hanging(1, { maxRetries: 3 });
    await scenario.open({ tool }, { work, cleanUp: (text) => said.push(text) });
    const runId = await scenario.call();
    if (before) await scenario.harness.engine.cancel(runId);
    await scenario.harness.reopen();
    if (before) await scenario.harness.engine.recover();
    else await scenario.harness.engine.cancel(runId);
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    expect(said).toEqual([message]);
  });
});
