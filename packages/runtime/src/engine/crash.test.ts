import { describe, expect, test } from "vitest";
import { host, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("at-least-once", () => {
  test("after a crash only the step in flight runs again, and the crash counts as an attempt", async () => {
    const calls: string[] = [];
    let hang = true;
    await scenario.open(
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
    const { runId } = await scenario.start();
    await scenario.harness.clock.settle();
    hang = false;
    await scenario.harness.crash();
    await scenario.harness.clock.settle();
    expect(await scenario.harness.engine.run(runId).result()).toEqual({
      status: "completed",
      output: [1, 2],
    });
    expect(calls).toEqual(["a", "b", "b"]);
    const log = await scenario.harness.store.log(runId);
    const failed = log.find((entry) => entry.event.type === "step-failed")?.event;
    expect(failed).toMatchObject({ key: "b#0", attempt: 1, crashed: true });
    expect(log.map((entry) => entry.seq)).toEqual(log.map((_, index) => index));
  });

  test("a step that kills its process every time ends as StepError", async () => {
    await scenario.open(
      { w: `async () => await step("deadly")()` },
      { deadly: Object.assign(() => new Promise(() => undefined), { maxRetries: 2 }) },
    );
    const { runId } = await scenario.start();
    for (let crash = 0; crash < 3; crash += 1) {
      await scenario.harness.clock.settle();
      await scenario.harness.crash();
    }
    await scenario.harness.clock.settle();
    expect(await scenario.harness.engine.run(runId).result()).toMatchObject({
      status: "failed",
      error: {
        name: "StepError",
        message: expect.stringContaining("failed after 2 retries: The process ended while"),
      },
    });
  });

  test("a retry that was due while nobody ran is made up for", async () => {
    let calls = 0;
    await scenario.open(
      { w: `async () => await step("flaky")()` },
      {
        flaky: () => {
          calls += 1;
          if (calls === 1) throw new Error("once");
          return "ok";
        },
      },
    );
    const { runId } = await scenario.start();
    await scenario.harness.clock.settle();
    expect(calls).toBe(1);
    scenario.harness.clock.jump(3_600_000);
    await scenario.harness.crash();
    await scenario.harness.clock.settle();
    expect(await scenario.harness.engine.run(runId).result()).toEqual({ status: "completed", output: "ok" });
  });

  test("the idempotency key is the same in every attempt, and the attempt counts up", async () => {
    const seen: unknown[] = [];
    await scenario.open(
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
    const { result } = await scenario.start();
    await scenario.harness.clock.advance(1_000);
    expect(await result).toEqual({ status: "completed", output: "ok" });
    expect(seen).toEqual([
      [true, 1, "meta"],
      [true, 2, "meta"],
    ]);
  });
});
