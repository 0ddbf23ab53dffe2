import { describe, expect, test } from "vitest";
import { HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("Approve with a deadline and an escalation", () => {
  const body = `async ({ service }, ctx) => {
    const pending = ctx.ask({ prompt: "Deploy " + service + "?", display: "confirmation", options: [{ id: "approve", label: "Deploy" }, { id: "cancel", label: "Cancel" }] });
    let answer = await Promise.race([pending, sleep("4h")]);
    if (answer === undefined) {
      await step("pageOnCall")(service);
      answer = await Promise.race([pending, sleep("20h")]);
    }
    if (answer === undefined) return { deployed: false, reason: "timed out" };
    if (answer.status !== "answered" || answer.optionId !== "approve") return { deployed: false, reason: "rejected" };
    return { deployed: true };
  }`;
  const paged: unknown[] = [];
  const steps = { pageOnCall: (service: unknown) => void paged.push(service) };

  test("one request stays open the whole time; an answer after the escalation still counts", async () => {
    paged.length = 0;
    await scenario.open({ tool: body }, steps);
    const runId = await scenario.call({ service: "api" });
    await scenario.harness.clock.advance(5 * HOUR);
    expect(paged).toEqual(["api"]);
    expect(await scenario.harness.engine.questions(runId)).toHaveLength(1);
    await scenario.harness.restart();
    await scenario.harness.engine.answer(runId, `${runId}-ask-0`, { optionId: "approve" });
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: { deployed: true } });
    expect(paged).toEqual(["api"]);
  });

  test("without any answer it times out, and returning withdraws the request", async () => {
    await scenario.open({ tool: body }, steps);
    const runId = await scenario.call({ service: "api" });
    await scenario.harness.clock.advance(25 * HOUR);
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: { deployed: false, reason: "timed out" },
    });
    expect(await scenario.harness.engine.questions()).toEqual([]);
    await expect(
      scenario.harness.engine.answer(runId, `${runId}-ask-0`, { optionId: "approve" }),
    ).rejects.toMatchObject({
      code: "QUESTION_NOT_PENDING",
    });
  });
});

describe("ctx.ask", () => {
  const ask = (request: string) => ({ tool: `async (input, ctx) => await ctx.ask(${request})` });

  test("a request is answered once; what doesn't fit is refused and leaves it open", async () => {
    await scenario.open(ask(`{ prompt: "Go?", options: [{ id: "yes", label: "Yes" }] }`));
    const runId = await scenario.call();
    const id = `${runId}-ask-0`;
    await expect(scenario.harness.engine.answer(runId, id, { optionId: "maybe" })).rejects.toMatchObject({
      code: "INVALID_ANSWER",
    });
    await expect(scenario.harness.engine.answer(runId, id, { text: "sure" })).rejects.toMatchObject({
      code: "INVALID_ANSWER",
    });
    await expect(scenario.harness.engine.answer(runId, id, {})).rejects.toMatchObject({
      code: "INVALID_ANSWER",
    });
    await expect(scenario.harness.engine.answer(runId, "other", { text: "x" })).rejects.toMatchObject({
      code: "QUESTION_NOT_PENDING",
      action: `Open: ${id}.`,
    });
    const both = await Promise.allSettled([
      scenario.harness.engine.answer(runId, id, { optionId: "yes" }),
      scenario.harness.engine.answer(runId, id, { optionId: "yes" }),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: { status: "answered", optionId: "yes" },
    });
  });

  test("without options any text is an answer", async () => {
    await scenario.open(ask(`{ prompt: "Name?" }`));
    const runId = await scenario.call();
    await expect(
      scenario.harness.engine.answer(runId, `${runId}-ask-0`, { optionId: "x" }),
    ).rejects.toMatchObject({
      code: "INVALID_ANSWER",
    });
    await scenario.harness.engine.answer(runId, `${runId}-ask-0`, { text: "Ada" });
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: { status: "answered", text: "Ada" },
    });
  });

  test("returns unavailable immediately where nobody can be asked", async () => {
    await scenario.open(ask(`{ prompt: "Name?" }`));
    const runId = await scenario.call({}, { answerable: false });
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: { status: "unavailable" } });
    expect((await scenario.types(runId)).filter((type) => type.startsWith("ask"))).toEqual([
      "ask-created",
      "ask-resolved",
    ]);
  });

  test("an abort of the call's signal withdraws the question", async () => {
    await scenario.open(ask(`{ prompt: "Name?" }`));
    const runId = await scenario.call();
    await scenario.harness.engine.abort(runId);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: { status: "cancelled" } });
  });

  test("an aborted signal of its own withdraws the question, and only that", async () => {
    await scenario.open({
      tool: `async (input, ctx) => {
        const controller = new AbortController();
        const one = ctx.ask({ prompt: "One?" }, { signal: controller.signal });
        const two = ctx.ask({ prompt: "Two?" });
        await sleep(1000);
        controller.abort();
        return [await one, await two];
      }`,
    });
    const runId = await scenario.call();
    await scenario.harness.clock.advance(1_000);
    expect((await scenario.harness.engine.questions(runId)).map((one) => one.request.prompt)).toEqual([
      "Two?",
    ]);
    await scenario.harness.restart();
    await scenario.harness.engine.answer(runId, `${runId}-ask-1`, { text: "2" });
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: [{ status: "cancelled" }, { status: "answered", text: "2" }],
    });
  });

  test("if a person's answer came first, the ask resolves as answered even though the signal aborted", async () => {
    await scenario.open(ask(`{ prompt: "Name?" }`));
    const runId = await scenario.call();
    const answered = scenario.harness.engine.answer(runId, `${runId}-ask-0`, { text: "Ada" });
    // The answer has been received, and isn't committed yet, when the abort comes.
    for (let turn = 0; turn < 10; turn += 1) await undefined;
    await Promise.all([
      answered,
      scenario.harness.engine
        .abort(runId)
        .catch((error: unknown) => expect(error).toMatchObject({ code: "RUN_ENDED" })),
    ]);
    expect(await scenario.result(runId)).toEqual({
      status: "completed",
      output: { status: "answered", text: "Ada" },
    });
  });
});
