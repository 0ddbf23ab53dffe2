import type { EveHost } from "eve/internal/host-api";
import { HOST } from "eve/internal/symbols";
import { afterEach, describe, expect, test } from "vitest";
import type { StepFunction } from "../builds/server-module.js";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness, type Harness } from "../testing/harness.js";
import type { EngineOptions } from "./options.js";

let harness: Harness;

afterEach(() => harness?.close());

const host = () => (globalThis as unknown as { [HOST]: EveHost })[HOST];
const HOUR = 3_600_000;

async function open(
  workflows: Record<string, string>,
  steps: Record<string, StepFunction> = {},
  options: Partial<EngineOptions> = {},
): Promise<void> {
  const build = testBuild({ workflows, steps, tools: { tool: { workflowId: "tool" } } });
  harness = await openHarness(testBuilds(build), options);
}

async function run(args: unknown[] = []) {
  const runId = await harness.engine.startRun({ workflowId: "w", args });
  await harness.clock.settle();
  return runId;
}

async function call(input: unknown = {}, options: { answerable?: boolean } = {}) {
  const runId = await harness.engine.startRun({ tool: "tool", input, ...options });
  await harness.clock.settle();
  return runId;
}

const status = (runId: string) => harness.engine.run(runId).status();
const result = (runId: string) => harness.engine.run(runId).result();
const types = async (runId: string) => (await harness.store.log(runId)).map((entry) => entry.event.type);

describe("sleep", () => {
  test("waits durably: over a restart, to the millisecond, and holds no compute meanwhile", async () => {
    await open({ w: `async () => { await sleep("4h"); return Date.now(); }` });
    const runId = await run();
    const start = harness.clock.now();
    expect(await status(runId)).toBe("waiting");
    await harness.restart();
    expect(harness.engine.hotRuns).toBe(0);
    await harness.clock.advance(4 * HOUR - 1);
    expect(await status(runId)).toBe("waiting");
    await harness.clock.advance(1);
    expect(await result(runId)).toEqual({ status: "completed", output: start + 4 * HOUR });
  });

  test("a date in the past passes at once", async () => {
    await open({ w: `async () => { await sleep(new Date(0)); await sleep(0); return "up"; }` });
    expect(await result(await run())).toEqual({ status: "completed", output: "up" });
  });

  test("what fell due while nobody ran is made up for, in order of due time", async () => {
    await open({
      w: `async () => {
        const order = [];
        await Promise.all([sleep(3000).then(() => order.push(3)), sleep(1000).then(() => order.push(1)), sleep(2000).then(() => order.push(2))]);
        return order;
      }`,
    });
    const runId = await run();
    harness.clock.jump(HOUR);
    await harness.restart();
    await harness.clock.settle();
    expect(await result(runId)).toEqual({ status: "completed", output: [1, 2, 3] });
  });

  test("a wall clock that jumps ahead is noticed within a minute", async () => {
    await open({ w: `async () => { await sleep("4h"); return "up"; }` });
    const runId = await run();
    harness.clock.jump(5 * HOUR);
    await harness.clock.advance(60_000);
    expect(await result(runId)).toEqual({ status: "completed", output: "up" });
  });

  test("a wall clock that jumps back never makes an entry older than the one before it", async () => {
    await open(
      { w: `async () => { const before = Date.now(); await step("a")(); return Date.now() - before; }` },
      { a: () => harness.clock.jump(-HOUR) },
    );
    const runId = await run();
    expect(await result(runId)).toEqual({ status: "completed", output: 0 });
    const times = (await harness.store.log(runId)).map((entry) => entry.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  test("thousands of sleeps arm one timer", async () => {
    await open({
      w: `async () => { await Promise.all(Array.from({ length: 2000 }, (_, i) => sleep(1000 + (i % 5)))); return "up"; }`,
    });
    const runId = await run();
    expect(harness.clock.timers).toBe(1);
    await harness.clock.advance(3_000);
    expect(await result(runId)).toEqual({ status: "completed", output: "up" });
  });
});

describe("hooks", () => {
  test("a payload from a step of another run resumes a parked run, over a restart", async () => {
    await open(
      {
        w: `async () => { const hook = createHook({ token: "order-1", metadata: { kind: "order" } }); return (await hook).total; }`,
        other: `async () => await step("resume")()`,
      },
      {
        resume: async () => {
          const info = await host().getHookByToken("order-1");
          await host().resumeHook("order-1", { total: 7n });
          return info;
        },
      },
    );
    const runId = await run();
    await harness.restart();
    const other = await harness.engine.startRun({ workflowId: "other", args: [] });
    expect(await result(other)).toEqual({
      status: "completed",
      output: {
        token: "order-1",
        runId,
        hookId: `${runId}/hook#0`,
        isWebhook: false,
        metadata: { kind: "order" },
      },
    });
    expect(await result(runId)).toEqual({ status: "completed", output: 7n });
    await expect(harness.engine.resumeHook("order-1", 1)).rejects.toMatchObject({ code: "HOOK_NOT_FOUND" });
  });

  test("many payloads, in the order in which they were acknowledged", async () => {
    await open({
      w: `async () => {
        const got = [];
        for await (const item of createHook({ token: "t" })) { got.push(item); if (got.length === 3) break; }
        return got;
      }`,
    });
    const runId = await run();
    await harness.engine.resumeHook("t", 1);
    await harness.restart();
    await harness.engine.resumeHook("t", 2);
    await harness.engine.resumeHook("t", 3);
    expect(await result(runId)).toEqual({ status: "completed", output: [1, 2, 3] });
  });

  test("one live hook per token: getConflict() names the owner, also when it isn't in memory", async () => {
    await open({
      w: `async () => {
        const hook = createHook({ token: "t" });
        const conflict = await hook.getConflict();
        if (conflict) {
          let error;
          try { await hook; } catch (caught) { error = caught.name; }
          return { owner: conflict.runId, error };
        }
        return await hook;
      }`,
    });
    const first = await run();
    const second = await run();
    expect(await result(second)).toEqual({
      status: "completed",
      output: { owner: first, error: "HookConflictError" },
    });
    await harness.restart();
    expect(harness.engine.hotRuns).toBe(0);
    const third = await run();
    expect(await result(third)).toMatchObject({ output: { owner: first } });
    await harness.engine.resumeHook("t", "payload");
    expect(await result(first)).toEqual({ status: "completed", output: "payload" });
    expect(harness.problems).toEqual([]);
  });

  test("a disposed hook frees its token at once", async () => {
    await open({
      w: `async () => {
        const one = createHook({ token: "t" });
        one.dispose();
        const two = createHook({ token: "t" });
        return [await two.getConflict(), await two];
      }`,
    });
    const runId = await run();
    await harness.engine.resumeHook("t", "second");
    expect(await result(runId)).toEqual({ status: "completed", output: [null, "second"] });
  });

  test("racing one pending hook against deadlines several times works", async () => {
    await open({
      w: `async () => {
        const hook = createHook({ token: "t" });
        const seen = [];
        for (let i = 0; i < 3; i++) seen.push((await Promise.race([hook, sleep("1h")])) ?? "timeout");
        return seen;
      }`,
    });
    const runId = await run();
    await harness.clock.advance(2 * HOUR);
    await harness.restart();
    await harness.engine.resumeHook("t", "finally");
    expect(await result(runId)).toEqual({ status: "completed", output: ["timeout", "timeout", "finally"] });
  });

  test("a payload that can't be carried is refused, and the hook stays open", async () => {
    await open({ w: `async () => await createHook({ token: "t" })` });
    const runId = await run();
    await expect(harness.engine.resumeHook("t", { f: () => 1 })).rejects.toThrow("payload.f is a function");
    await harness.engine.resumeHook("t", "fine");
    expect(await result(runId)).toEqual({ status: "completed", output: "fine" });
  });
});

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
    await open({ tool: body }, steps);
    const runId = await call({ service: "api" });
    await harness.clock.advance(5 * HOUR);
    expect(paged).toEqual(["api"]);
    expect(await harness.engine.questions(runId)).toHaveLength(1);
    await harness.restart();
    await harness.engine.answer(runId, `${runId}-ask-0`, { optionId: "approve" });
    expect(await result(runId)).toEqual({ status: "completed", output: { deployed: true } });
    expect(paged).toEqual(["api"]);
  });

  test("without any answer it times out, and returning withdraws the request", async () => {
    await open({ tool: body }, steps);
    const runId = await call({ service: "api" });
    await harness.clock.advance(25 * HOUR);
    expect(await result(runId)).toEqual({
      status: "completed",
      output: { deployed: false, reason: "timed out" },
    });
    expect(await harness.engine.questions()).toEqual([]);
    await expect(
      harness.engine.answer(runId, `${runId}-ask-0`, { optionId: "approve" }),
    ).rejects.toMatchObject({
      code: "QUESTION_NOT_PENDING",
    });
  });
});

describe("ctx.ask", () => {
  const ask = (request: string) => ({ tool: `async (input, ctx) => await ctx.ask(${request})` });

  test("a request is answered once; what doesn't fit is refused and leaves it open", async () => {
    await open(ask(`{ prompt: "Go?", options: [{ id: "yes", label: "Yes" }] }`));
    const runId = await call();
    const id = `${runId}-ask-0`;
    await expect(harness.engine.answer(runId, id, { optionId: "maybe" })).rejects.toMatchObject({
      code: "INVALID_ANSWER",
    });
    await expect(harness.engine.answer(runId, id, { text: "sure" })).rejects.toMatchObject({
      code: "INVALID_ANSWER",
    });
    await expect(harness.engine.answer(runId, id, {})).rejects.toMatchObject({ code: "INVALID_ANSWER" });
    await expect(harness.engine.answer(runId, "other", { text: "x" })).rejects.toMatchObject({
      code: "QUESTION_NOT_PENDING",
      action: `Open: ${id}.`,
    });
    const both = await Promise.allSettled([
      harness.engine.answer(runId, id, { optionId: "yes" }),
      harness.engine.answer(runId, id, { optionId: "yes" }),
    ]);
    expect(both.map((one) => one.status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(await result(runId)).toEqual({
      status: "completed",
      output: { status: "answered", optionId: "yes" },
    });
  });

  test("without options any text is an answer", async () => {
    await open(ask(`{ prompt: "Name?" }`));
    const runId = await call();
    await expect(harness.engine.answer(runId, `${runId}-ask-0`, { optionId: "x" })).rejects.toMatchObject({
      code: "INVALID_ANSWER",
    });
    await harness.engine.answer(runId, `${runId}-ask-0`, { text: "Ada" });
    expect(await result(runId)).toEqual({ status: "completed", output: { status: "answered", text: "Ada" } });
  });

  test("returns unavailable immediately where nobody can be asked", async () => {
    await open(ask(`{ prompt: "Name?" }`));
    const runId = await call({}, { answerable: false });
    expect(await result(runId)).toEqual({ status: "completed", output: { status: "unavailable" } });
    expect((await types(runId)).filter((type) => type.startsWith("ask"))).toEqual([
      "ask-created",
      "ask-resolved",
    ]);
  });

  test("an abort of the call's signal withdraws the question", async () => {
    await open(ask(`{ prompt: "Name?" }`));
    const runId = await call();
    await harness.engine.abort(runId);
    expect(await result(runId)).toEqual({ status: "completed", output: { status: "cancelled" } });
  });

  test("an aborted signal of its own withdraws the question, and only that", async () => {
    await open({
      tool: `async (input, ctx) => {
        const controller = new AbortController();
        const one = ctx.ask({ prompt: "One?" }, { signal: controller.signal });
        const two = ctx.ask({ prompt: "Two?" });
        await sleep(1000);
        controller.abort();
        return [await one, await two];
      }`,
    });
    const runId = await call();
    await harness.clock.advance(1_000);
    expect((await harness.engine.questions(runId)).map((one) => one.request.prompt)).toEqual(["Two?"]);
    await harness.restart();
    await harness.engine.answer(runId, `${runId}-ask-1`, { text: "2" });
    expect(await result(runId)).toEqual({
      status: "completed",
      output: [{ status: "cancelled" }, { status: "answered", text: "2" }],
    });
  });

  test("if a person's answer came first, the ask resolves as answered even though the signal aborted", async () => {
    await open(ask(`{ prompt: "Name?" }`));
    const runId = await call();
    const answered = harness.engine.answer(runId, `${runId}-ask-0`, { text: "Ada" });
    // The answer has been received, and isn't committed yet, when the abort comes.
    for (let turn = 0; turn < 10; turn += 1) await undefined;
    await Promise.all([
      answered,
      harness.engine
        .abort(runId)
        .catch((error: unknown) => expect(error).toMatchObject({ code: "RUN_ENDED" })),
    ]);
    expect(await result(runId)).toEqual({ status: "completed", output: { status: "answered", text: "Ada" } });
  });
});

describe("After a cancel aborts the signal, the run waits up to 30 seconds for the body to unwind", () => {
  test("a body whose step received the signal unwinds and ends as cancelled; what it returns is discarded", async () => {
    const steps = {
      wait: (signal: unknown) =>
        new Promise((_resolve, reject) => {
          (signal as AbortSignal).addEventListener("abort", () =>
            reject(Object.assign(new Error("stop"), { fatal: true })),
          );
        }),
      cleanUp: () => "cleaned",
    };
    await open(
      {
        tool: `async (input, ctx) => {
          try { return await step("wait")(ctx.abortSignal); }
          finally { if (ctx.abortSignal.aborted) await step("cleanUp")(); }
        }`,
      },
      steps,
    );
    const runId = await call();
    await harness.engine.cancel(runId, { reason: "not needed" });
    await harness.clock.settle();
    expect(await result(runId)).toEqual({ status: "cancelled" });
    const log = await harness.store.log(runId);
    expect(log.filter((entry) => entry.event.type === "step-completed")).toMatchObject([
      { event: { key: "cleanUp#0" } },
    ]);
    expect(log.at(-1)?.event).toEqual({ type: "run-ended", status: "cancelled" });
  });

  test("a body parked on a hook or a sleep is abandoned when the grace ends, also after a restart", async () => {
    await open({ tool: `async () => { await createHook({ token: "t" }); }` });
    const runId = await call();
    await harness.engine.cancel(runId);
    await harness.clock.advance(15_000);
    await harness.restart();
    await harness.clock.advance(14_999);
    expect(await status(runId)).toBe("waiting");
    await harness.clock.advance(1);
    expect(await result(runId)).toEqual({ status: "cancelled" });
    await expect(harness.engine.resumeHook("t", 1)).rejects.toMatchObject({ code: "HOOK_NOT_FOUND" });
  });

  test("who cancels waits for the end; the signal observed by a body at once ends the wait at once", async () => {
    await open({
      tool: `async (input, ctx) => await new Promise((resolve) => ctx.abortSignal.addEventListener("abort", resolve))`,
    });
    const runId = await call();
    expect(await harness.engine.cancelAndWait(runId)).toEqual({ status: "cancelled" });
  });

  test("cancelling twice, or after the end, changes nothing", async () => {
    await open({ tool: `async () => { await sleep("1h"); }` });
    const runId = await call();
    await harness.engine.cancel(runId);
    await harness.engine.cancel(runId);
    await harness.clock.advance(30_000);
    await harness.engine.cancel(runId);
    expect((await types(runId)).filter((type) => type === "cancel-requested")).toHaveLength(1);
    expect(await result(runId)).toEqual({ status: "cancelled" });
  });

  test("an unknown run can't be cancelled", async () => {
    await open({ tool: `async () => {}` });
    await expect(harness.engine.cancel("wrun_none")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

describe("Report progress: yield", () => {
  test("a yield is published before what comes after it, and once, over a restart", async () => {
    await open({
      tool: `async function* (input, ctx) { yield { status: "preparing" }; await sleep("1h"); yield { status: "done" }; return { reminder: input.note }; }`,
    });
    const runId = await call({ note: "milk" });
    await harness.restart();
    await harness.clock.advance(HOUR);
    const seen: unknown[] = [];
    for await (const event of harness.engine.run(runId).events())
      if (event.type === "progress") seen.push(event.value);
    expect(seen).toEqual([{ status: "preparing" }, { status: "done" }]);
    expect(await result(runId)).toEqual({ status: "completed", output: { reminder: "milk" } });
  });

  test("outward messages of a run with a target are stored with the log and delivered until acknowledged", async () => {
    await open({
      tool: `async function* (input, ctx) { yield 1; const answer = await ctx.ask({ prompt: "Go?" }); return answer.text; }`,
    });
    const runId = await harness.engine.startRun({ tool: "tool", target: "session:s1" });
    await harness.clock.settle();
    const first = await harness.store.messages("session:s1", 10);
    expect(first.map((message) => message.kind)).toEqual(["progress", "question"]);
    await harness.store.acknowledge("session:s1", first[0]?.position ?? 0);
    await harness.engine.answer(runId, `${runId}-ask-0`, { text: "yes" });
    await harness.restart();
    const rest = await harness.store.messages("session:s1", 10);
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
    await open({ tool: `async function* () { yield 1; yield 2; await sleep("1h"); yield 3; }` });
    const runId = await harness.engine.startRun({ tool: "tool", target: "session:s1" });
    const seen: string[] = [];
    let fail = true;
    const stop = harness.engine.consume("session:s1", ({ body }) => {
      seen.push(body);
      if (body === "2" && fail) throw new Error("not now");
    });
    await harness.clock.settle();
    expect(seen).toEqual(["1", "2"]);
    expect(harness.problems).toMatchObject([{ error: { message: "not now" } }]);
    fail = false;
    await harness.clock.advance(1_000);
    expect(seen).toEqual(["1", "2", "2"]);
    await stop();
    await harness.restart();
    const again: string[] = [];
    const stopAgain = harness.engine.consume(
      "session:s1",
      ({ kind, id }) => void again.push(`${kind} ${id.startsWith(runId)}`),
    );
    await harness.clock.advance(HOUR);
    expect(again).toEqual(["progress true", "ended true"]);
    await stopAgain();
  });
});

describe("following a run", () => {
  test("events come in order, once, from any point on", async () => {
    await open({ tool: `async function* () { yield 1; await step("a")(); yield 2; }` }, { a: () => "x" });
    const runId = await call();
    const all: string[] = [];
    const ids: string[] = [];
    for await (const event of harness.engine.run(runId).events()) {
      all.push(event.type);
      if ("id" in event) ids.push(event.id);
    }
    expect(all).toEqual(["started", "progress", "step", "step", "progress", "ended"]);
    const after: string[] = [];
    for await (const event of harness.engine.run(runId).events({ after: ids[2] as string }))
      after.push(event.type);
    expect(after).toEqual(["step", "progress", "ended"]);
  });

  test("a follower that came early sees everything live; the body's console is heard once, not on replay", async () => {
    const lines: string[] = [];
    await open(
      {
        tool: `async function* () { console.log("before"); await sleep(1000); console.warn("after"); yield 1; }`,
      },
      {},
      { onConsole: ({ level, text }) => lines.push(`${level} ${text}`) },
    );
    const runId = await call();
    await harness.restart();
    const seen: unknown[] = [];
    const following = (async () => {
      for await (const event of harness.engine.run(runId).events()) seen.push(event.type);
    })();
    await harness.clock.advance(1_000);
    await following;
    expect(seen.filter((type) => type !== "status")).toEqual(["started", "sleep", "progress", "ended"]);
    expect(lines).toEqual(["log before", "warn after"]);
  });

  test("an unknown run is an error", async () => {
    await open({ tool: `async () => {}` });
    await expect(async () => {
      for await (const _event of harness.engine.run("wrun_none").events()) expect.unreachable();
    }).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    await expect(harness.engine.run("wrun_none").result()).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

describe("parked runs", () => {
  test("leave memory beyond the limit, least recently used first, and come back by replay", async () => {
    await open(
      {
        w: `async (n) => { const a = await step("id")(n); return [a, await createHook({ token: "t" + n })]; }`,
      },
      { id: (n) => n },
      { limits: { hotRuns: 2 } },
    );
    const runs = [];
    for (let n = 0; n < 5; n += 1) runs.push(await run([n]));
    expect(harness.engine.hotRuns).toBe(2);
    for (let n = 0; n < 5; n += 1) await harness.engine.resumeHook(`t${n}`, `p${n}`);
    for (const [n, runId] of runs.entries())
      expect(await result(runId)).toEqual({ status: "completed", output: [n, `p${n}`] });
    expect(harness.engine.hotRuns).toBe(0);
  });

  test("opening the store takes up what was at work and leaves the parked where they are", async () => {
    let hang = true;
    await open(
      { w: `async (n) => n < 3 ? await createHook() : await step("work")(n)` },
      { work: (n) => (hang ? new Promise(() => undefined) : n) },
    );
    for (let n = 0; n < 5; n += 1) await run([n]);
    hang = false;
    await harness.restart();
    expect(harness.engine.hotRuns).toBe(2);
    await harness.clock.settle();
    expect((await harness.store.runs({ status: ["completed"] })).length).toBe(2);
    expect((await harness.store.runs({ status: ["waiting"] })).length).toBe(3);
  });
});

describe("streams", () => {
  const chunksOf = async (runId: string, from: number) => {
    const got: unknown[] = [];
    for await (const chunk of harness.engine.run(runId).stream({ from })) got.push(chunk);
    return got;
  };

  test("chunks of steps and bodies have contiguous indices and can be read from any of them, also from the end", async () => {
    await open(
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
    const runId = await run();
    expect(await result(runId)).toMatchObject({ status: "completed" });
    expect(await chunksOf(runId, 0)).toEqual(["a0", "a1", "b0", "b1"]);
    expect(await chunksOf(runId, 3)).toEqual(["b1"]);
    expect(await chunksOf(runId, -2)).toEqual(["b0", "b1"]);
  });

  test("a reader that came early gets chunks as they are stored, and the end", async () => {
    await open(
      { w: `async () => { await step("write")(1); await sleep("1h"); await step("write")(2); }` },
      {
        write: async (value) => {
          const writer = host().getWritable({}).getWriter();
          await writer.write(value);
          if (value === 2) await writer.close();
        },
      },
    );
    const runId = await run();
    const reader = harness.engine.run(runId).stream().getReader();
    expect(await reader.read()).toEqual({ done: false, value: 1 });
    const next = reader.read();
    await harness.clock.advance(HOUR);
    expect(await next).toEqual({ done: false, value: 2 });
    expect(await reader.read()).toEqual({ done: true, value: undefined });
  });

  test("a reader that gives up leaves nothing behind", async () => {
    await open({ w: `async () => { await sleep("1h"); }` });
    const runId = await run();
    const reader = harness.engine.run(runId).stream().getReader();
    const pending = reader.read();
    await reader.cancel();
    expect(await pending).toEqual({ done: true, value: undefined });
  });
});
