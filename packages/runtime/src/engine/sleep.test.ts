import { describe, expect, test } from "vitest";
import { iso } from "../inspect/list.js";
import { showRun } from "../inspect/show.js";
import { HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("sleep", () => {
  test("waits durably: over a restart, to the millisecond, and holds no compute meanwhile", async () => {
    await scenario.open({ w: `async () => { await sleep("4h"); return Date.now(); }` });
    const runId = await scenario.run();
    const start = scenario.harness.clock.now();
    expect(await scenario.status(runId)).toBe("waiting");
    await scenario.harness.restart();
    expect(scenario.harness.engine.hotRuns).toBe(0);
    await scenario.harness.clock.advance(4 * HOUR - 1);
    expect(await scenario.status(runId)).toBe("waiting");
    await scenario.harness.clock.advance(1);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: start + 4 * HOUR });
  });

  test("that would end after the last date there is throws where it is called; one that ends just before it waits", async () => {
    await scenario.open({
      w: `async () => {
        const said = [];
        for (const until of [1e300, 8.64e15, "999999999999y"]) {
          try { await sleep(until); } catch (error) { said.push(error.name, error.message); }
        }
        await Promise.race([sleep(8.64e15 - Date.now()), sleep(new Date(8.64e15)), sleep(1)]);
        return said;
      }`,
    });
    const runId = await scenario.run();
    const { timeline, waits } = await showRun(scenario.harness.store, runId);
    expect(waits.map(({ until }) => until)).toContain("+275760-09-13T00:00:00.000Z");
    expect(timeline.map(({ text }) => text)).toContain("sleep 1 until +275760-09-13T00:00:00.000Z");
    await scenario.harness.clock.advance(1);
    const result = await scenario.result(runId);
    expect(result).toEqual({
      status: "completed",
      output: [1e300, 8.64e15, '"999999999999y"'].flatMap((shown) => [
        "TypeError",
        `sleep() got ${shown}, which ends after the last date there is (+275760-09-13).`,
      ]),
    });
  });

  test("a report doesn't fail for a time that no date holds", () => {
    expect([iso(0), iso(1e300), iso(Number.NaN)]).toEqual([
      "1970-01-01T00:00:00.000Z",
      "beyond any date",
      "beyond any date",
    ]);
  });

  test("a date in the past passes at once", async () => {
    await scenario.open({ w: `async () => { await sleep(new Date(0)); await sleep(0); return "up"; }` });
    expect(await scenario.result(await scenario.run())).toEqual({ status: "completed", output: "up" });
  });

  test("what fell due while nobody ran is made up for, in order of due time", async () => {
    await scenario.open({
      w: `async () => {
        const order = [];
        await Promise.all([sleep(3000).then(() => order.push(3)), sleep(1000).then(() => order.push(1)), sleep(2000).then(() => order.push(2))]);
        return order;
      }`,
    });
    const runId = await scenario.run();
    scenario.harness.clock.jump(HOUR);
    await scenario.harness.restart();
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: [1, 2, 3] });
  });

  test("a wall clock that jumps ahead is noticed within a minute", async () => {
    await scenario.open({ w: `async () => { await sleep("4h"); return "up"; }` });
    const runId = await scenario.run();
    scenario.harness.clock.jump(5 * HOUR);
    await scenario.harness.clock.advance(60_000);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "up" });
  });

  test("a wall clock that jumps back never makes an entry older than the one before it", async () => {
    await scenario.open(
      { w: `async () => { const before = Date.now(); await step("a")(); return Date.now() - before; }` },
      { a: () => scenario.harness.clock.jump(-HOUR) },
    );
    const runId = await scenario.run();
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: 0 });
    const times = (await scenario.harness.store.log(runId)).map((entry) => entry.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test("thousands of sleeps arm one timer", async () => {
    await scenario.open({
      w: `async () => { await Promise.all(Array.from({ length: 2000 }, (_, i) => sleep(1000 + (i % 5)))); return "up"; }`,
    });
    const runId = await scenario.run();
    expect(scenario.harness.clock.timers).toBe(1);
    await scenario.harness.clock.advance(3_000);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "up" });
  });
});
