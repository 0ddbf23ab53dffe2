import { describe, expect, test } from "vitest";
import { host, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("runs started by steps", () => {
  test("a chain of runs that wait for each other needs one slot, at depth 4", async () => {
    await scenario.open(
      {
        w: `async (depth) => depth === 0 ? await step("leaf")() : 1 + await step("child")(depth - 1)`,
      },
      {
        leaf: () => 0,
        child: async (depth) => await (await host().start("w", [depth])).returnValue,
      },
      { limits: { stepConcurrency: 1 } },
    );
    const { runId, result } = await scenario.start("w", [4]);
    expect(await result).toEqual({ status: "completed", output: 4 });
    const runs = await scenario.harness.store.runs();
    expect(runs.map((row) => row.depth).sort()).toEqual([0, 1, 2, 3, 4]);
    expect(runs.filter((row) => row.parentRunId === runId)).toHaveLength(1);
  });

  test("a child's error is the step's error, with name and message", async () => {
    await scenario.open(
      {
        w: `async () => { try { await step("child")(); } catch (error) { return [error.cause.name, error.cause.message]; } }`,
        bad: `async () => { throw new RangeError("too far"); }`,
      },
      {
        child: Object.assign(async () => await (await host().start("bad", [])).returnValue, {
          maxRetries: 0,
        }),
      },
    );
    expect(await (await scenario.start()).result).toEqual({
      status: "completed",
      output: ["RangeError", "too far"],
    });
  });

  test("a handle tells what the run is", async () => {
    await scenario.open(
      {
        w: `async () => await step("look")()`,
        "workflow//./a//child": `async () => 7`,
      },
      {
        look: async () => {
          const child = await host().start("workflow//./a//child", []);
          const value = await child.returnValue;
          const missing = host().getRun("wrun_none");
          return [
            value,
            await child.exists,
            await child.status,
            await child.workflowName,
            (await child.createdAt) instanceof Date,
            (await child.completedAt) instanceof Date,
            await missing.exists,
          ];
        },
      },
    );
    expect(await (await scenario.start()).result).toEqual({
      status: "completed",
      output: [7, true, "completed", "workflow//./a//child", true, true, false],
    });
  });
});
