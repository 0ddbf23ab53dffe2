// Each test is named after the sentence of the specification that it proves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appWith, toolSource } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

const LOG = `
const happened: string[] = ((globalThis as any).__happened ??= []);
async function note(what: string) {
  "use step";
  happened.push(what);
  return happened.length;
}
async function waitInStep(ms: number) {
  "use step";
  await new Promise((resolve) => setTimeout(resolve, ms));
  return "slept in the step";
}
`;
const ASK = 'await ctx.ask({ prompt: "Continue?", display: "confirmation" })';

const tools = {
  approval: toolSource(
    `yield { status: "awaiting approval" };\n    const answer = ${ASK};\n    return { answer };`,
    "",
    {
      entry: "async *execute(input: any, ctx: any)",
    },
  ),
  effects: toolSource(
    `await note("before"); const answer = ${ASK}; await note("after"); return answer.status;`,
    LOG,
  ),
  hooked: toolSource(
    'await note("one"); const payload = await createHook({ token: "spec-hook" }); return payload;',
    LOG,
  ),
  slept: toolSource('await note("s"); await sleep("4h"); return "woke";', LOG),
  stepTimer: toolSource("return await waitInStep(20);", LOG),
};

let app: CompiledApp & { dispose(): Promise<void> };
const happened = (): string[] => ((globalThis as { __happened?: string[] }).__happened ??= []);

beforeAll(async () => {
  app = await compiledApp(appWith(tools));
});
afterAll(() => app.dispose());

async function answer(runId: string, text = "yes"): Promise<void> {
  const [question] = await app.engine.run(runId).questions();
  await app.engine.answer(runId, question?.requestId ?? "", { text });
}

describe("How suspension works", () => {
  it.each(["effects", "hooked", "slept"])(
    "Suspension happens when a workflow must wait for an unresolved durable operation, such as ctx.ask, an awaited hook or webhook, or sleep: %s",
    async (tool) => {
      const runId = await app.call(tool);
      expect(await app.engine.run(runId).status()).toBe("waiting");
      await app.engine.cancel(runId);
      await app.clock.advance(30_000);
      expect(await app.engine.run(runId).status()).toBe("cancelled");
    },
  );

  it("When the answer, event, or timer arrives, the runtime replays the workflow, reuses recorded step results, and continues past the wait", async () => {
    happened().length = 0;
    const [asked, hooked, slept] = [
      await app.call("effects"),
      await app.call("hooked"),
      await app.call("slept"),
    ];
    await app.restart(); // nothing of the runs is in memory
    expect(app.engine.hotRuns).toBe(0);
    await answer(asked);
    await app.engine.resumeHook("spec-hook", { n: 1 });
    await app.clock.advance(4 * 3_600_000);
    expect(await app.result(asked)).toEqual({ status: "completed", output: "answered" });
    expect(await app.result(hooked)).toEqual({ status: "completed", output: { n: 1 } });
    expect(await app.result(slept)).toEqual({ status: "completed", output: "woke" });
    expect(happened().toSorted()).toEqual(["after", "before", "one", "s"]);
  });

  it('Put side effects in "use step" functions so replay does not repeat completed effects', async () => {
    happened().length = 0;
    const runId = await app.call("effects");
    for (let restarts = 0; restarts < 3; restarts += 1) await app.restart();
    await answer(runId);
    await app.result(runId);
    expect(happened()).toEqual(["before", "after"]);
  });

  it("The yield reports a snapshot, and eve advances the generator to ctx.ask", async () => {
    const runId = await app.call("approval");
    expect((await app.report(runId)).progress).toEqual([{ status: "awaiting approval" }]);
    expect(await app.engine.run(runId).questions()).toMatchObject([{ request: { prompt: "Continue?" } }]);
    await answer(runId);
    await app.result(runId);
  });

  it("The original tool call remains pending until the answer arrives and the body returns", async () => {
    const runId = await app.call("approval");
    await app.clock.advance(90 * 24 * 3_600_000);
    expect(await app.engine.run(runId).status()).toBe("waiting");
    await answer(runId, "go");
    expect(await app.result(runId)).toEqual({
      status: "completed",
      output: { answer: { status: "answered", text: "go" } },
    });
  });

  it("An ordinary Promise or Node.js timer inside a step also does not create a durable workflow suspension", async () => {
    const runId = await app.call("stepTimer");
    expect(await app.engine.run(runId).status()).toBe("running");
    expect(await app.result(runId)).toEqual({ status: "completed", output: "slept in the step" });
  });
});
