import { describe, expect, test } from "vitest";
import { createEngine } from "./engine.js";
import { host, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("result()", () => {
  test("of a run that another engine has ended meanwhile is told, though it waits in memory here", async () => {
    await scenario.open({ w: `async () => await createHook({ token: "t" })` });
    const { runId, result } = await scenario.start();
    const { harness } = scenario;
    expect(await harness.engine.run(runId).idle()).toBe("waiting");
    const other = createEngine({ store: harness.store, builds: harness.builds, clock: harness.clock });
    await other.resumeHook("t", 5);
    expect(await other.run(runId).result()).toEqual({ status: "completed", output: 5 });
    expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: 5 });
    await other.close();
    void result.catch(() => undefined);
  });

  test("of several who wait is the same, each with values of their own", async () => {
    await scenario.open({ w: `async () => ({ list: [await step("one")()] })` }, { one: () => 1 });
    const { runId, result } = await scenario.start();
    const all = await Promise.all([result, scenario.result(runId), scenario.result(runId)]);
    for (const one of all) expect(one).toEqual({ status: "completed", output: { list: [1] } });
    expect(new Set(all.map((one) => (one as { output: unknown }).output)).size).toBe(3);
  });

  test("may hold a signal, which belongs to no other run", async () => {
    await scenario.open(
      {
        a: `async () => { const controller = new AbortController(); await step("use")(controller.signal); return controller.signal; }`,
        b: `async (given) => given`,
      },
      { use: () => 1 },
    );
    const result = await (await scenario.start("a")).result;
    const { output } = result as { output: unknown };
    expect(output).toBeInstanceOf(AbortSignal);
    await expect(scenario.start("b", [output])).rejects.toMatchObject({ code: "SERIALIZATION_FAILED" });
  });
});

describe("the error of a body", () => {
  const POINT = `class Point { constructor(x) { this.x = x; } static [Symbol.for("workflow-serialize")](p) { return { x: p.x }; } static [Symbol.for("workflow-deserialize")](d) { return new Point(d.x); } }
    Object.defineProperty(Point, "classId", { value: "class//./t//Point" });
    (globalThis[Symbol.for("workflow-class-registry")] ??= new Map()).set("class//./t//Point", Point);`;

  test.each(["", `await sleep(5);`])(
    "keeps its message when it holds an instance of an app's class (%s)",
    async (before) => {
      await scenario.open({
        w: `async () => { ${POINT} ${before} throw Object.assign(new Error("with a point"), { point: new Point(1) }); }`,
      });
      const { result } = await scenario.start();
      await scenario.harness.clock.advance(10);
      expect(await result).toMatchObject({
        status: "failed",
        error: { name: "Error", message: "with a point" },
      });
    },
  );
});

describe("errors that a step hands to something else", () => {
  test("are told as its build tells them", async () => {
    await scenario.open(
      {
        w: `async () => { const hook = createHook({ token: "t" }); await step("give")(); return await hook; }`,
        child: `async () => 1`,
      },
      {
        give: async () => {
          const error = new Error("given");
          error.stack = "Error: given\n    at give (node:internal/x:1:2)\n    at give (lib/a.ts:1:2)";
          await host().resumeHook("t", error);
          await host().start("child", [error]);
        },
      },
    );
    const { result } = await scenario.start();
    expect(await result).toMatchObject({ status: "completed" });
    const runs = await scenario.harness.store.runs();
    expect(runs).toHaveLength(2);
    const logs = await Promise.all(runs.map((run) => scenario.harness.store.log(run.runId)));
    const text = JSON.stringify(logs);
    expect(text.split("lib/a.ts:1:2").length).toBeGreaterThan(2);
    expect(text).not.toContain("node:internal");
  });
});
