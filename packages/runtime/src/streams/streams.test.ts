import { describe, expect, test, vi } from "vitest";
import { host, HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("streams", () => {
  const chunksOf = async (runId: string, from: number) => {
    const got: unknown[] = [];
    for await (const chunk of scenario.harness.engine.run(runId).stream({ from })) got.push(chunk);
    return got;
  };

  test("chunks of steps and bodies have contiguous indices and can be read from any of them, also from the end", async () => {
    await scenario.open(
      {
        w: `async () => {
          await step("write")("a", 2);
          await step("write")("b", 2);
          return "done";
        }`,
      },
      {
        write: async (name, count) => {
          const writer = host().getWritable({}).getWriter();
          for (let n = 0; n < Number(count); n += 1) await writer.write(`${String(name)}${n}`);
          writer.releaseLock();
        },
      },
    );
    const runId = await scenario.run();
    expect(await scenario.result(runId)).toMatchObject({ status: "completed" });
    expect(await chunksOf(runId, 0)).toEqual(["a0", "a1", "b0", "b1"]);
    expect(await chunksOf(runId, 3)).toEqual(["b1"]);
    expect(await chunksOf(runId, -2)).toEqual(["b0", "b1"]);
  });

  test("a reader that came early gets chunks as they are stored, and the end", async () => {
    await scenario.open(
      { w: `async () => { await step("write")(1); await sleep("1h"); await step("write")(2); }` },
      {
        write: async (value) => {
          const writer = host().getWritable({}).getWriter();
          await writer.write(value);
          if (value === 2) await writer.close();
        },
      },
    );
    const runId = await scenario.run();
    const reader = scenario.harness.engine.run(runId).stream().getReader();
    expect(await reader.read()).toEqual({ done: false, value: 1 });
    const next = reader.read();
    await scenario.harness.clock.advance(HOUR);
    expect(await next).toEqual({ done: false, value: 2 });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  test("another step reads on from the chunk it names", async () => {
    await scenario.open(
      { w: `async () => { await step("write")(); return await step("read")(1); }` },
      {
        write: async () => {
          const writer = host().getWritable({}).getWriter();
          for (const chunk of ["a", "b", "c"]) await writer.write(chunk);
          await writer.close();
        },
        read: async (startIndex) => {
          const { runId } = host().currentStep() ?? { runId: "" };
          const got: unknown[] = [];
          for await (const chunk of host()
            .getRun(runId)
            .getReadable({ startIndex: Number(startIndex) }))
            got.push(chunk);
          return got;
        },
      },
    );
    expect(await (await scenario.start()).result).toEqual({ status: "completed", output: ["b", "c"] });
  });

  test("a long stream is read without a listener for each page", async () => {
    await scenario.open(
      { w: `async () => { await step("write")(); }` },
      {
        write: async () => {
          const writer = host().getWritable({}).getWriter();
          await Promise.all(Array.from({ length: 3_000 }, (_, n) => writer.write(n)));
        },
      },
    );
    const runId = await scenario.run();
    await scenario.result(runId);
    const added = vi.spyOn(AbortSignal.prototype, "addEventListener");
    expect(await chunksOf(runId, 0)).toHaveLength(3_000);
    expect(added.mock.calls.length).toBeLessThan(5);
    added.mockRestore();
  });

  test("a reader that gives up leaves nothing behind", async () => {
    await scenario.open({ w: `async () => { await sleep("1h"); }` });
    const runId = await scenario.run();
    const reader = scenario.harness.engine.run(runId).stream().getReader();
    const pending = reader.read();
    await reader.cancel();
    expect(await pending).toEqual({ done: true, value: undefined });
  });
});
