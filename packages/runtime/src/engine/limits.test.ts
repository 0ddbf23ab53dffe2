import { describe, expect, test } from "vitest";
import { replayRun } from "../inspect/replay.js";
import { host, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

const LIMIT = 1_000;
const open: typeof scenario.open = (workflows, steps, options) =>
  scenario.open(workflows, steps, { limits: { valueSize: LIMIT }, ...options });
const large = `"x".repeat(${LIMIT})`;

describe("A value larger than the limit is refused where it is given, by name, and can be caught there", () => {
  test.each([
    ["the arguments of a step", `step("echo")(${large})`, "The arguments of step echo"],
    ["a hook's metadata", `createHook({ token: "t", metadata: { note: ${large} } })`, "A hook's metadata"],
    [
      "a chunk of its own stream",
      `Object.create(WritableStream.prototype, { [Symbol.for("WORKFLOW_STREAM_NAME")]: { value: "default" } }).getWriter().write(${large})`,
      "A chunk of a stream",
    ],
    ["a question", `ctx.ask({ prompt: ${large} })`, "A question"],
  ])("%s", async (_name, call, what) => {
    await open({
      tool: `async (input, ctx) => {
        try { await ${call}; } catch (error) { return [error.name, error.code, error.message]; }
      }`,
    });
    const runId = await scenario.call();
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: [
        "ValueTooLargeError",
        "VALUE_TOO_LARGE",
        expect.stringMatching(
          new RegExp(
            `^${what} can't be carried: 1\\d{3} characters once encoded, and the limit is 1000\\. Store`,
          ),
        ),
      ],
    });
  });

  test("progress, at its yield; the generator goes on", async () => {
    await open({
      tool: `async function* () {
        try { yield ${large}; } catch (error) { yield error.code; }
        return "done";
      }`,
    });
    const runId = await scenario.call();
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "done" });
    expect(await scenario.types(runId)).toEqual(["run-started", "progress", "run-ended"]);
  });

  test("a result fails the run", async () => {
    await open({ tool: `async () => ${large}` });
    expect(await scenario.result(await scenario.call())).toMatchObject({
      status: "failed",
      error: {
        name: "ValueTooLargeError",
        message: expect.stringContaining('The result of the tool "tool"'),
      },
    });
  });

  test("what a body throws is cut, not lost", async () => {
    await open({ tool: `async () => { throw new Error("broken " + ${large}); }` });
    expect(await scenario.result(await scenario.call())).toMatchObject({
      status: "failed",
      error: {
        message: expect.stringMatching(/^broken x+ \(reporting it failed: The error of the workflow/),
      },
    });
  });

  test("a chunk that a step writes", async () => {
    await open(
      { w: `async () => await step("write")()` },
      {
        write: async () => {
          const writer = host().getWritable({}).getWriter();
          return await writer.write("x".repeat(LIMIT)).catch((error: { code: string }) => error.code);
        },
      },
    );
    expect(await (await scenario.start()).result).toEqual({ status: "completed", output: "VALUE_TOO_LARGE" });
  });

  test("the arguments of a run: there is no run", async () => {
    await open({ w: `async () => {}`, tool: `async () => {}` });
    const { engine, store } = scenario.harness;
    const args = ["x".repeat(LIMIT)];
    await expect(engine.startRun({ workflowId: "w", args })).rejects.toMatchObject({
      code: "VALUE_TOO_LARGE",
      message: expect.stringContaining("The arguments of workflow w"),
    });
    await expect(engine.startRun({ tool: "tool", input: { args } })).rejects.toThrow(
      "The input of the tool tool",
    );
    expect(await store.runs()).toEqual([]);
  });

  test("an answer: the question stays open", async () => {
    await open({ tool: `async (input, ctx) => (await ctx.ask({ prompt: "?" })).text` });
    const runId = await scenario.call();
    const answer = (text: string) => scenario.harness.engine.answer(runId, `${runId}-ask-0`, { text });
    await expect(answer("x".repeat(LIMIT + 1))).rejects.toMatchObject({ code: "VALUE_TOO_LARGE" });
    await answer("fine");
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "fine" });
  });
});

test("a run keeps the limit it was started with, so that a replay refuses what was refused", async () => {
  await open(
    {
      w: `async () => {
        const refused = await step("echo")(${large}).catch((error) => error.code);
        return [refused, await createHook({ token: "t" })];
      }`,
    },
    { echo: (text: unknown) => text },
  );
  const runId = await scenario.run();
  await scenario.harness.restart({ limits: { valueSize: 10 * LIMIT } });
  await scenario.harness.engine.resumeHook("t", "on");
  expect(await scenario.result(runId)).toEqual({ status: "completed", output: ["VALUE_TOO_LARGE", "on"] });
  const { store, builds } = scenario.harness;
  expect(await replayRun(store, builds, runId)).toEqual({ status: "identical", runId });
});
