import { describe, expect, test } from "vitest";
import { useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("parked runs", () => {
  test("leave memory beyond the limit, least recently used first, and come back by replay", async () => {
    await scenario.open(
      {
        w: `async (n) => { const a = await step("id")(n); return [a, await createHook({ token: "t" + n })]; }`,
      },
      { id: (n) => n },
      { limits: { hotRuns: 2 } },
    );
    const runs = [];
    for (let n = 0; n < 5; n += 1) runs.push(await scenario.run([n]));
    expect(scenario.harness.engine.hotRuns).toBe(2);
    for (let n = 0; n < 5; n += 1) await scenario.harness.engine.resumeHook(`t${n}`, `p${n}`);
    for (const [n, runId] of runs.entries())
      expect(await scenario.result(runId)).toEqual({ status: "completed", output: [n, `p${n}`] });
    expect(scenario.harness.engine.hotRuns).toBe(0);
  });

  test("opening the store takes up what was at work and leaves the parked where they are", async () => {
    let hang = true;
    await scenario.open(
      { w: `async (n) => n < 3 ? await createHook() : await step("work")(n)` },
      { work: (n) => (hang ? new Promise(() => undefined) : n) },
    );
    for (let n = 0; n < 5; n += 1) await scenario.run([n]);
    hang = false;
    await scenario.harness.restart();
    expect(scenario.harness.engine.hotRuns).toBe(2);
    await scenario.harness.clock.settle();
    expect((await scenario.harness.store.runs({ status: ["completed"] })).length).toBe(2);
    expect((await scenario.harness.store.runs({ status: ["waiting"] })).length).toBe(3);
  });
});
