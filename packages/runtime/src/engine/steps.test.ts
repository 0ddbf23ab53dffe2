import { describe, expect, test } from "vitest";
import { useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("values of steps", () => {
  test("a result that can't be carried fails at the call, catchable, with the path, and isn't retried", async () => {
    let calls = 0;
    await scenario.open(
      { w: `async () => { try { await step("odd")(); } catch (error) { return error.message; } }` },
      {
        odd: () => {
          calls += 1;
          return { user: { save: () => 1 } };
        },
      },
    );
    expect(await (await scenario.start()).result).toEqual({
      status: "completed",
      output: "result.user.save is a function",
    });
    expect(calls).toBe(1);
  });

  test("a result larger than the limit is refused by name and size", async () => {
    await scenario.open(
      { w: `async () => { try { await step("big")(); } catch (error) { return error.code; } }` },
      { big: () => "x".repeat(2_000) },
      { limits: { valueSize: 1_000 } },
    );
    expect(await (await scenario.start()).result).toEqual({ status: "completed", output: "VALUE_TOO_LARGE" });
  });

  test("Map, Set, Date, BigInt and cycles come through both ways", async () => {
    await scenario.open(
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
    expect(await (await scenario.start()).result).toEqual({
      status: "completed",
      output: [true, true, 5, true, true],
    });
  });

  test("a step that the build doesn't have fails by name", async () => {
    await scenario.open({ w: `async () => await step("step//./a//gone")()` });
    expect(await (await scenario.start()).result).toMatchObject({
      status: "failed",
      error: { message: expect.stringContaining("step//./a//gone") },
    });
  });
});

describe("parallel steps", () => {
  test("run at once up to stepConcurrency", async () => {
    let now = 0;
    let most = 0;
    await scenario.open(
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
    expect(await (await scenario.start()).result).toEqual({ status: "completed", output: "done" });
    expect(most).toBe(3);
  });

  test("what is ready at once shares a commit", async () => {
    let commits = 0;
    await scenario.open(
      { w: `async () => (await Promise.all(Array.from({ length: 100 }, (_, i) => step("id")(i)))).length` },
      { id: (value) => value },
      {
        faults: ({ at }) => {
          if (at === "after-commit") commits += 1;
        },
      },
    );
    expect(await (await scenario.start()).result).toEqual({ status: "completed", output: 100 });
    expect(commits).toBeLessThan(6);
  });

  test("a race has the same winner on every replay", async () => {
    await scenario.open(
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
    const { runId } = await scenario.start();
    await scenario.harness.engine.run(runId).idle();
    await scenario.harness.crash();
    await scenario.harness.engine.resumeHook("t", null);
    expect(await scenario.harness.engine.run(runId).result()).toEqual({
      status: "completed",
      output: "fast",
    });
  });
});

describe("when a body ends, its run ends at once", () => {
  test("running steps see their signals abort, and their results are dropped", async () => {
    let aborted = false;
    let finish = (_value: string) => {};
    await scenario.open(
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
    const { runId, result } = await scenario.start();
    expect(await result).toEqual({ status: "completed", output: "returned" });
    await scenario.harness.clock.settle();
    expect(aborted).toBe(true);
    finish("too late");
    await scenario.harness.clock.settle();
    expect((await scenario.types(runId)).at(-1)).toBe("run-ended");
    expect(scenario.harness.problems).toEqual([]);
  });

  test("a step that waits for its retry gets no new attempt", async () => {
    let calls = 0;
    await scenario.open(
      { w: `async () => { step("flaky")().catch(() => {}); await sleep(500); return "done"; }` },
      {
        flaky: () => {
          calls += 1;
          throw new Error("x");
        },
      },
    );
    const { result } = await scenario.start();
    await scenario.harness.clock.advance(60_000);
    expect(await result).toEqual({ status: "completed", output: "done" });
    expect(calls).toBe(1);
  });
});
