import { expect, test } from "vitest";
import { codec, start, STEP_A, TOOL, type TestBody, type TestOptions } from "../replay/testing/bodies.js";

const serve: TestOptions = {
  tool: JSON.stringify({ ...(JSON.parse(TOOL) as object), signal: "stretch#0" }),
  entryPoint: "serve",
  args: [{ request: "one" }],
};

function call(body: TestBody, n: number, signal: string, input: unknown = { request: String(n) }) {
  const record = JSON.stringify({
    callId: `call_${n}`,
    session: { id: "ses_1", turn: { id: `turn_${n}`, sequence: n } },
    agents: {},
    signal,
  });
  return body.pump({ type: "call", record, input: codec.encode(input, "input") });
}

const LOOP = `async function main(receive, ctx) {
  for (;;) {
    const { input, callId, abortSignal } = await receive();
    try {
      const plan = await a(input.request, abortSignal);
      ctx.reply({ plan, callId, turn: ctx.session.turn.id });
    } catch (error) {
      if (!abortSignal.aborted) throw error;
    }
  }
}`;

test("the first receive() resolves at once, later ones with each call; a reply settles what was received", () => {
  const body = start(LOOP, serve);
  expect(body.operations).toMatchObject([{ op: "receive", key: "receive#0" }, { op: "step" }]);
  call(body, 2, "stretch#0");
  body.resolve(`${STEP_A}#0`, "p1");
  expect(body.operations.slice(2)).toMatchObject([
    {
      op: "reply",
      key: "reply#0",
      value: '{"plan":"p1","callId":"call_1","turn":"turn_0"}',
      calls: ["call_1"],
    },
    { op: "receive", key: "receive#1" },
    { op: "step", key: `${STEP_A}#1` },
  ]);
  body.resolve(`${STEP_A}#1`, "p2");
  expect(body.operations.slice(5)).toMatchObject([
    { op: "reply", value: '{"plan":"p2","callId":"call_2","turn":"turn_2"}', calls: ["call_2"] },
    { op: "receive", key: "receive#2" },
  ]);
  call(body, 3, "stretch#1");
  expect(body.operations.at(-1)).toMatchObject({ op: "step", key: `${STEP_A}#2` });
});

test("a cancel forgets the calls, aborts the stretch, and the body goes on receiving", () => {
  const body = start(LOOP, serve);
  call(body, 2, "stretch#0");
  body.pump({ type: "calls-cancelled", signal: "stretch#0" });
  body.reject(`${STEP_A}#0`, new Error("aborted"));
  expect(body.operations.at(-1)).toMatchObject({ op: "receive", key: "receive#1" });
  call(body, 3, "stretch#1");
  body.resolve(`${STEP_A}#1`, "fresh");
  expect(body.operations.filter(({ op }) => op === "reply")).toMatchObject([{ calls: ["call_3"] }]);
});

test("a pending receive() is shared, and one reply settles several calls", () => {
  const body = start(
    `async function main(receive, ctx) {
      await receive();
      ctx.reply();
      const next = receive();
      const shared = next === receive();
      const first = await next;
      const second = await receive();
      ctx.reply({ shared, sameSignal: first.abortSignal === second.abortSignal });
      ctx.reply("dropped");
      return "end";
    }`,
    serve,
  );
  call(body, 2, "stretch#1");
  call(body, 3, "stretch#1");
  expect(body.operations.filter(({ op }) => op === "reply")).toEqual([
    { op: "reply", key: "reply#0", value: "null", calls: ["call_1"] },
    { op: "reply", key: "reply#1", value: '{"shared":true,"sameSignal":true}', calls: ["call_2", "call_3"] },
  ]);
  expect(body.output()).toBe("end");
});

test("questions belong to the call, and a reply withdraws them", () => {
  const body = start(
    `async function main(receive, ctx) {
      const early = await ctx.ask({ prompt: "x" }).catch((error) => error.message);
      await receive();
      const answer = ctx.ask({ prompt: "Really?" });
      await a();
      ctx.reply("done");
      return [early, (await answer).status, await ctx.ask({ prompt: "y" }).catch((error) => error.code)];
    }`,
    serve,
  );
  expect(body.operations[1]).toMatchObject({ op: "ask", call: "call_1", signals: ["stretch#0"] });
  body.resolve(`${STEP_A}#0`);
  expect(body.operations.slice(3)).toMatchObject([{ op: "reply" }, { op: "ask-withdraw", key: "ask#0" }]);
  body.resolve("ask#0", { status: "cancelled" });
  expect(body.output()).toEqual([
    expect.stringContaining("needs a call that waits"),
    "cancelled",
    "WORKFLOW_USAGE",
  ]);
});

test("a step gets the context of the call being served; the context itself has no callId", () => {
  const body = start(
    `async function main(receive, ctx) {
      const seen = [];
      for (const name of ["callId", "abortSignal"]) try { void ctx[name]; } catch (e) { seen.push(e.message); }
      await receive();
      void a(ctx);
      await receive();
      void a(ctx);
      return seen;
    }`,
    serve,
  );
  call(body, 2, "stretch#0");
  const contexts = body.operations
    .filter(({ op }) => op === "step")
    .map((op) => (op as { args: string }).args);
  expect(contexts[0]).toContain('"call_1"');
  expect(contexts[1]).toContain('"call_2"');
  expect(body.output()).toEqual([
    expect.stringMatching(/^ctx\.callId .*each received call/),
    expect.stringMatching(/^ctx\.abortSignal .*each received call/),
  ]);
});

test("the session's end rejects a pending receive()", () => {
  const body = start(LOOP, serve);
  body.resolve(`${STEP_A}#0`, "p1");
  body.pump({ type: "calls-ended", reason: "The session ended." });
  expect(body.error().message).toBe("The session ended.");
});

test("a reply that isn't JSON throws where it is made", () => {
  const body = start(
    "async function main(receive, ctx) { await receive(); try { ctx.reply(new Map()); } catch (e) { return e.message; } }",
    serve,
  );
  expect(body.output()).toBe('The reply of the tool "deploy" isn\'t JSON: output is a Map.');
});
