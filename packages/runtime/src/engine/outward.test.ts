import { describe, expect, test } from "vitest";
import { HOUR, useScenario } from "../testing/scenario.js";

const scenario = useScenario();

describe("Report progress: yield", () => {
  test("a yield is published before what comes after it, and once, over a restart", async () => {
    await scenario.open({
      tool: `async function* (input, ctx) { yield { status: "preparing" }; await sleep("1h"); yield { status: "done" }; return { reminder: input.note }; }`,
    });
    const runId = await scenario.call({ note: "milk" });
    await scenario.harness.restart();
    await scenario.harness.clock.advance(HOUR);
    const seen: unknown[] = [];
    for await (const event of scenario.harness.engine.run(runId).events())
      if (event.type === "progress") seen.push(event.value);
    expect(seen).toEqual([{ status: "preparing" }, { status: "done" }]);
    expect(await scenario.result(runId)).toEqual({ status: "completed", output: { reminder: "milk" } });
  });

  test("outward messages of a run with a target are stored with the log and delivered until acknowledged", async () => {
    await scenario.open({
      tool: `async function* (input, ctx) { yield 1; const answer = await ctx.ask({ prompt: "Go?" }); return answer.text; }`,
    });
    const runId = await scenario.harness.engine.startRun({ tool: "tool", target: "session:s1" });
    await scenario.harness.clock.settle();
    const first = await scenario.harness.store.messages("session:s1", 10);
    expect(first.map((message) => message.kind)).toEqual(["progress", "question"]);
    await scenario.harness.store.acknowledge("session:s1", first[0]?.position ?? 0);
    await scenario.harness.engine.answer(runId, `${runId}-ask-0`, { text: "yes" });
    await scenario.harness.restart();
    const rest = await scenario.harness.store.messages("session:s1", 10);
    expect(rest.map((message) => message.kind)).toEqual(["question", "question-resolved", "ended"]);
    expect(new Set(rest.map((message) => message.id)).size).toBe(3);
    expect(JSON.parse(rest[1]?.body ?? "")).toEqual({
      requestId: `${runId}-ask-0`,
      answer: { status: "answered", text: "yes" },
    });
  });
});

describe("a consumer of outward messages", () => {
  test("gets each at least once, in order, again after a rejection, and only those not acknowledged after a restart", async () => {
    await scenario.open({ tool: `async function* () { yield 1; yield 2; await sleep("1h"); yield 3; }` });
    const runId = await scenario.harness.engine.startRun({ tool: "tool", target: "session:s1" });
    const seen: string[] = [];
    let fail = true;
    const stop = scenario.harness.engine.consume("session:s1", ({ body }) => {
      seen.push(body);
      if (body === "2" && fail) throw new Error("not now");
    });
    await scenario.harness.clock.settle();
    expect(seen).toEqual(["1", "2"]);
    expect(scenario.harness.problems).toMatchObject([{ error: { message: "not now" } }]);
    fail = false;
    await scenario.harness.clock.advance(1_000);
    expect(seen).toEqual(["1", "2", "2"]);
    await stop();
    await scenario.harness.restart();
    const again: string[] = [];
    const stopAgain = scenario.harness.engine.consume(
      "session:s1",
      ({ kind, id }) => void again.push(`${kind} ${id.startsWith(runId)}`),
    );
    await scenario.harness.clock.advance(HOUR);
    expect(again).toEqual(["progress true", "ended true"]);
    await stopAgain();
  });
});

describe("following a run", () => {
  test("events come in order, once, from any point on", async () => {
    await scenario.open(
      { tool: `async function* () { yield 1; await step("a")(); yield 2; }` },
      { a: () => "x" },
    );
    const runId = await scenario.call();
    const all: string[] = [];
    const ids: string[] = [];
    for await (const event of scenario.harness.engine.run(runId).events()) {
      all.push(event.type);
      if ("id" in event) ids.push(event.id);
    }
    expect(all).toEqual(["started", "progress", "step", "step", "progress", "ended"]);
    const after: string[] = [];
    for await (const event of scenario.harness.engine.run(runId).events({ after: ids[2] as string }))
      after.push(event.type);
    expect(after).toEqual(["step", "progress", "ended"]);
  });

  test("a follower that came early sees everything live; the body's console is heard once, not on replay", async () => {
    const lines: string[] = [];
    await scenario.open(
      {
        tool: `async function* () { console.log("before"); await sleep(1000); console.warn("after"); yield 1; }`,
      },
      {},
      { onConsole: ({ level, text }) => lines.push(`${level} ${text}`) },
    );
    const runId = await scenario.call();
    await scenario.harness.restart();
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const event of scenario.harness.engine.run(runId).events()) seen.push(event.type);
    })();
    await scenario.harness.clock.advance(1_000);
    await following;
    expect(seen.filter((type) => type !== "status")).toEqual(["started", "sleep", "progress", "ended"]);
    expect(lines).toEqual(["log before", "warn after"]);
  });

  test("an unknown run is an error", async () => {
    await scenario.open({ tool: `async () => {}` });
    await expect(async () => {
      for await (const _event of scenario.harness.engine.run("wrun_none").events()) expect.unreachable();
    }).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect(scenario.harness.engine.run("wrun_none").result()).rejects.toMatchObject({
      code: "RUN_NOT_FOUND",
    });
  });
});
