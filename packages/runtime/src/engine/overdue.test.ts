import { describe, expect, test } from "vitest";
import { StoreFullError } from "../errors/store.js";
import { HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("A sleep that is due comes before what arrives later", () => {
  const question = `async (input, ctx) => await Promise.race([
    ctx.ask({ prompt: "?", options: [{ id: "yes", label: "Yes" }] }).then((answer) => answer.optionId ?? answer.status),
    sleep("2s").then(() => "too late"),
  ])`;
  const answer = async (runId: string) => {
    const [open] = await scenario.harness.engine.questions(runId);
    await scenario.harness.engine.answer(runId, open?.requestId ?? "", { optionId: "yes" });
  };

  test("an answer after the deadline loses, when the process was down meanwhile", async () => {
    await scenario.open({ tool: question });
    const runId = await scenario.call();
    scenario.harness.clock.jump(3_000);
    await scenario.harness.reopen();
    await expect(answer(runId)).rejects.toMatchObject({ code: "QUESTION_NOT_PENDING" });
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "too late" });
  });

  test("the same while the timer of a running process hasn't fired yet", async () => {
    await scenario.open({ tool: question });
    const runId = await scenario.call();
    scenario.harness.clock.jump(2_000);
    await expect(answer(runId)).rejects.toMatchObject({ code: "QUESTION_NOT_PENDING" });
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "too late" });
  });

  test("an answer a millisecond before it wins", async () => {
    await scenario.open({ tool: question });
    const runId = await scenario.call();
    scenario.harness.clock.jump(1_999);
    await answer(runId);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "yes" });
  });

  test("a payload, too; it isn't lost for who waits on the hook after the deadline", async () => {
    await scenario.open({
      w: `async () => {
        const hook = createHook({ token: "t" });
        const first = await Promise.race([hook, sleep("1h").then(() => "deadline")]);
        return [first, await hook];
      }`,
    });
    const runId = await scenario.run();
    scenario.harness.clock.jump(2 * HOUR);
    await scenario.harness.reopen();
    await scenario.harness.engine.resumeHook("t", "approved");
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: ["deadline", "approved"] });
  });

  test("an abort, too", async () => {
    await scenario.open({
      tool: `async (input, ctx) => await Promise.race([
        new Promise((resolve) => ctx.abortSignal.addEventListener("abort", () => resolve("aborted"))),
        sleep("2s").then(() => "slept"),
      ])`,
    });
    const runId = await scenario.call();
    scenario.harness.clock.jump(2_000);
    await expect(scenario.harness.engine.abort(runId)).rejects.toMatchObject({ code: "RUN_ENDED" });
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "slept" });
  });

  test("sleeps that are due together end in the order of their times, then in that of their calls", async () => {
    const calls = Array.from(
      { length: 12 },
      (_, n) => `sleep(${n === 11 ? 10 : 20}).then(() => order.push(${n}))`,
    );
    await scenario.open({
      w: `async () => { const order = []; await Promise.all([${calls.join(", ")}]); return order; }`,
    });
    const runId = await scenario.run();
    scenario.harness.clock.jump(HOUR);
    await scenario.harness.restart();
    await scenario.harness.clock.settle();
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: [11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    });
  });

  test("what a fired sleep asks for doesn't hold back what had arrived", async () => {
    await scenario.open({
      w: `async () => {
        const hook = createHook({ token: "t" });
        let rounds = 0;
        for (;;) {
          const won = await Promise.race([hook, sleep(new Date(0)).then(() => "again")]);
          if (won !== "again") return won;
          rounds += 1;
          if (rounds > 1_000) return "starved";
        }
      }`,
    });
    const runId = await scenario.harness.engine.startRun({ workflowId: "w", args: [] });
    await scenario.harness.engine.resumeHook("t", "payload");
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: "payload" });
  });
});

test("who comes too late for a run is told so only once its end is recorded", async () => {
  let refuse = false;
  await scenario.open({
    tool: `async (input, ctx) => await Promise.race([ctx.ask({ prompt: "?" }), sleep("2s")])`,
  });
  const runId = await scenario.call();
  const { store, engine, clock } = scenario.harness;
  const commit = store.commit.bind(store);
  store.commit = async (writes) => {
    if (refuse) throw new StoreFullError("eve.db");
    await commit(writes);
  };
  refuse = true;
  clock.jump(2_000);
  await expect(engine.answer(runId, `${runId}-ask-0`, { text: "late" })).rejects.toMatchObject({
    code: "STORE_FULL",
  });
  refuse = false;
  await expect(engine.answer(runId, `${runId}-ask-0`, { text: "late" })).rejects.toMatchObject({
    code: "QUESTION_NOT_PENDING",
  });
  expect(await scenario.status(runId)).toBe("completed");
});
