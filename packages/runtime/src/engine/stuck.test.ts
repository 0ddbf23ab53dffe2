import { describe, expect, test } from "vitest";
import { showRun } from "../inspect/show.js";
import { useScenario } from "../testing/scenario.js";

const scenario = useScenario();

const stuck = (runId: string) => ({ runId, error: { code: "RUN_STUCK" } });

describe("a body that awaits something nothing can settle", () => {
  test("is reported once, shown as stuck, and left as it is", async () => {
    await scenario.open({ w: `async () => { await sleep(5); await new Promise(() => {}); }` });
    const runId = await scenario.run();
    expect(await showRun(scenario.harness.store, runId)).not.toHaveProperty("stuck");
    await scenario.harness.clock.advance(5);
    expect(scenario.harness.problems).toMatchObject([stuck(runId)]);
    expect(await showRun(scenario.harness.store, runId)).toMatchObject({ status: "waiting", stuck: true });
    await scenario.harness.clock.advance(60_000);
    expect(await scenario.status(runId)).toBe("waiting");
    await scenario.harness.restart();
    await scenario.harness.engine.resume(runId);
    expect(scenario.harness.problems).toMatchObject([stuck(runId), stuck(runId)]);
  });

  test("can be cancelled, and is no longer stuck then", async () => {
    await scenario.open({
      tool: `async (input, ctx) => await new Promise((resolve) => ctx.abortSignal.addEventListener("abort", resolve))`,
    });
    const runId = await scenario.call();
    expect(scenario.harness.problems).toMatchObject([stuck(runId)]);
    await scenario.harness.engine.cancel(runId);
    expect(await scenario.result(runId)).toEqual({ status: "cancelled" });
    expect(await showRun(scenario.harness.store, runId)).not.toHaveProperty("stuck");
  });

  test.each([
    ["a sleep", `await sleep("1h")`],
    ["a hook", `await createHook({ token: "t" })`],
    ["a step", `await step("work")()`],
    ["a question", `await ctx.ask({ prompt: "?" })`],
  ])("isn't one that waits for %s", async (_name, code) => {
    await scenario.open(
      { tool: `async (input, ctx) => { ${code}; }` },
      { work: () => new Promise(() => undefined) },
    );
    const runId = await scenario.call();
    expect(scenario.harness.problems).toEqual([]);
    expect(await showRun(scenario.harness.store, runId)).not.toHaveProperty("stuck");
  });
});

describe("a body that throws what can't be looked at still ends", () => {
  test.each([
    [
      "an error whose message can't be read",
      `Object.defineProperty(new Error("x"), "message", { get() { throw new Error("no"); } })`,
    ],
    [
      "one whose getter throws such an error itself",
      `Object.defineProperty(new Error("x"), "message", { get() { throw Object.create(null); } })`,
    ],
    [
      "one whose name, stack and cause can't be read",
      `Object.defineProperties(new Error("told"), Object.fromEntries(["name", "stack", "cause"].map((key) => [key, { get() { throw new Error(key); } }])))`,
    ],
    [
      "a proxy that answers nothing",
      `new Proxy(new Error("x"), { get() { throw 1; }, getPrototypeOf() { throw 2; }, has() { throw 3; } })`,
    ],
    ["an object without a prototype", `Object.create(null)`],
  ])("%s", async (_name, thrown) => {
    await scenario.open({ w: `async () => { throw ${thrown}; }` });
    const runId = await scenario.run();
    expect(await scenario.result(runId)).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/told|can't be shown/) },
    });
    expect(scenario.harness.problems).toEqual([]);
  });
});
