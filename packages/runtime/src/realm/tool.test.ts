import { describe, expect, test } from "vitest";
import { codec, start, STEP_A, TOOL, type TestOptions } from "../replay/testing/bodies.js";

const tool: TestOptions = { tool: TOOL, args: [{ service: "api" }] };

describe("ctx of a tool body", () => {
  test("has what the specification gives it", () => {
    const body = start(
      `async function main(input, ctx) {
        return { input, session: ctx.session.id, callId: ctx.callId, toolName: ctx.toolName, agents: ctx.agents, aborted: ctx.abortSignal.aborted, same: ctx.abortSignal === ctx.abortSignal, frozen: Object.isFrozen(ctx.session.turn) };
      }`,
      tool,
    );
    expect(body.output()).toEqual({
      input: { service: "api" },
      session: "ses_1",
      callId: "call_1",
      toolName: "deploy",
      agents: { reviewer: { description: "Reviews" } },
      aborted: false,
      same: true,
      frozen: true,
    });
  });

  test.each([
    [
      "ctx.getToken({})",
      /^ctx\.getToken\(\) isn't available in a workflow body: pass ctx to a "use step" function/,
    ],
    ["ctx.requireAuth({})", /^ctx\.requireAuth\(\) .* "use step"/],
    ["ctx.getSandbox()", /^ctx\.getSandbox\(\) isn't available in workflow tools/],
    ['ctx.agent("reviewer")', /`eve start` and `eve dev`/],
  ])("refuses %s and says where it belongs", (code, message) => {
    const error = start(`async function main(input, ctx) { return ${code}; }`, tool).error();
    expect(error).toMatchObject({
      code: "WORKFLOW_USAGE",
      message: expect.stringMatching(message) as string,
    });
  });

  test.each(['ctx.agent("")', "ctx.agent(7)"])("refuses %s with a TypeError", (code) => {
    expect(start(`async function main(input, ctx) { return ${code}; }`, tool).error()).toBeInstanceOf(
      TypeError,
    );
  });

  test("goes to a step as a handle, as an argument of its own only", () => {
    const body = start(
      `async function main(input, ctx) {
        const failed = await a({ ctx }).catch((error) => error.message);
        await a(ctx, ctx.session, ctx.abortSignal);
        return failed;
      }`,
      tool,
    );
    const { args } = body.operations[0] as { args: string };
    expect(args).toContain('"ToolContext"');
    expect(JSON.parse(args)).toContain("call");
    body.resolve(`${STEP_A}#0`);
    expect(body.output()).toBe(
      "args[0].ctx is the tool context, which can only be passed as an argument of its own",
    );
  });
});

describe("the result of a tool", () => {
  test.each([
    ["return { a: 1, b: undefined, c: [undefined, null] }", { a: 1, c: [null, null] }],
    ["return undefined", null],
    ["return null", null],
    ["return 'text'", "text"],
    ["return { url: new URL('http://a/b') }", { url: "http://a/b" }],
    ["return { ['__proto__']: 1, ok: true }", { ["__proto__"]: 1, ok: true }],
  ])("%s", (code, output) => {
    const result = start(`async function main() { ${code}; }`, tool).body;
    expect(result).toBeDefined();
    const body = start(`async function main() { ${code}; }`, tool);
    if (code.includes("__proto__")) expect(body.error().message).toContain("__proto__");
    else expect(body.output()).toEqual(output);
  });

  test.each([
    ["new Date(0)", "output is a Date"],
    ["{ m: new Map() }", "output.m is a Map"],
    ["{ list: [1n] }", "output.list[0] is a BigInt"],
    ["{ 'a b': Symbol('s') }", 'output["a b"] is a symbol'],
    ["{ f() {} }", "output.f is a function"],
    ["{ n: NaN }", "output.n is NaN"],
    ["new Uint8Array(1)", "output is a Uint8Array"],
    ["new Error('x')", "output is an Error."],
    ["(() => { const c = { d: {} }; c.d.c = c; return c; })()", "output.d.c refers back"],
    ["{ v: new RangeError('x') }", "output.v is an Error (RangeError)."],
    ["{ r: new Response('x') }", "output.r is a Response."],
    ["[new Headers()]", "output[0] is a Headers."],
    ["new (class Money { cents = 1 })()", "output is an instance of class Money."],
    ["new Int8Array(1)", "output is an Int8Array."],
    ["new AbortController().signal", "output is an AbortSignal."],
    ["Object.create({ a: 1 })", "output is an object with a prototype of its own."],
    [
      "(() => { const a = []; a[4_000_000_000] = 1; return { a }; })()",
      "output.a has 4000000001 elements; at most",
    ],
    ["{ p: Promise.resolve(1) }", "output.p is a Promise"],
  ])("that isn't JSON, %s, fails the call and says so", (code, reason) => {
    const error = start(`async function main() { return ${code}; }`, tool).error();
    expect(error).toMatchObject({ name: "ResultError", code: "RESULT_NOT_JSON" });
    expect(error.message).toContain(`The result of the tool "deploy" isn't JSON: ${reason}`);
  });

  test("of a plain workflow may be any value that can be carried", () => {
    expect(start("async function main() { return new Map([[1, new Date(0)]]); }").output()).toEqual(
      new Map([[1, new Date(0)]]),
    );
  });
});

describe("a generator body", () => {
  test("publishes what it yields and goes on by itself", () => {
    const body = start(
      `async function* main(input) {
        const state = { status: "a" };
        yield state;
        state.status = "b";
        yield state;
        await sleep(5);
        return { done: input.service };
      }`,
      tool,
    );
    expect(body.operations).toMatchObject([
      { op: "progress", value: '{"status":"a"}' },
      { op: "progress", value: '{"status":"b"}' },
      { op: "sleep" },
    ]);
    body.resolve("sleep#0");
    expect(body.output()).toEqual({ done: "api" });
  });

  test.each([
    ["yield 1; yield { at: 2 };", { at: 2 }],
    ["yield 1; return null;", 1],
    ["return null;", null],
    ["", null],
    ["yield undefined;", null],
    ["yield 0; return false;", false],
  ])("whose code is `%s` returns `return ?? last yield ?? null`", (code, output) => {
    expect(start(`async function* main() { ${code} }`, tool).output()).toEqual(output);
  });

  test("gets the error of a yield that isn't JSON at that yield", () => {
    const body = start(
      `async function* main() { try { yield new Map(); } catch (error) { yield error.message; } finally { yield "cleanup"; } }`,
      tool,
    );
    expect(body.operations).toEqual([
      {
        op: "progress",
        value: expect.stringContaining('The progress of the tool \\"deploy\\" isn\'t JSON') as string,
      },
      { op: "progress", value: '"cleanup"' },
    ]);
    expect(body.output()).toBe("cleanup");
  });

  test("that throws after a yield fails", () => {
    expect(start("async function* main() { yield 1; throw new Error('late'); }", tool).error().message).toBe(
      "late",
    );
  });
});

describe("ctx.ask", () => {
  const ask = (request: string, options = "") =>
    `async function main(input, ctx) { try { return await ctx.ask(${request}${options}); } catch (e) { return [e instanceof TypeError, e.message]; } }`;

  test("asks and resolves with the answer", () => {
    const body = start(
      ask(
        `{ options: [{ label: "Deploy", id: "approve", style: "primary" }, { id: "cancel", label: "Cancel" }], display: "confirmation", prompt: "Deploy?" }`,
      ),
      tool,
    );
    expect(body.operations).toEqual([
      {
        op: "ask",
        key: "ask#0",
        request:
          '{"prompt":"Deploy?","display":"confirmation","options":[{"id":"approve","label":"Deploy","style":"primary"},{"id":"cancel","label":"Cancel"}]}',
        signals: ["call"],
        site: expect.stringMatching(/^11:/) as string,
      },
    ]);
    body.resolve("ask#0", { status: "answered", optionId: "approve" });
    expect(body.output()).toEqual({ status: "answered", optionId: "approve" });
  });

  test("is withdrawn by a signal of the body", () => {
    const body = start(
      `async function main(input, ctx) {
        const stop = new AbortController();
        const answer = ctx.ask({ prompt: "Go?" }, { signal: stop.signal });
        await a();
        stop.abort();
        return answer;
      }`,
      tool,
    );
    expect(body.operations[0]).toMatchObject({ op: "ask", signals: ["call", "signal#0"] });
    body.resolve(`${STEP_A}#0`);
    expect(body.operations[2]).toEqual({ op: "abort", signal: "signal#0" });
    body.resolve("ask#0", { status: "cancelled" });
    expect(body.output()).toEqual({ status: "cancelled" });
  });

  test.each([
    ["undefined", "takes an object with a prompt"],
    ["{}", "prompt has to be a text"],
    ['{ prompt: "  " }', "prompt has to be a text"],
    ['{ prompt: "x", dismissible: true }', "`dismissible` was removed"],
    ['{ prompt: "x", kind: 1 }', 'has no "kind"'],
    ['{ prompt: "x", display: "popup" }', 'is one of "confirmation", "select", "text"'],
    ['{ prompt: "x", display: "select" }', "needs options"],
    ['{ prompt: "x", options: {} }', "options is a list"],
    ['{ prompt: "x", options: [{ id: "a" }] }', "options[0].label has to be a text"],
    ['{ prompt: "x", options: [{ id: "a", label: "A", style: "red" }] }', "options[0].style is one of"],
    [
      '{ prompt: "x", options: [{ id: "a", label: "A" }, { id: "a", label: "B" }] }',
      'two options with the id "a"',
    ],
    ['{ prompt: "x", options: [{ id: "a", label: "A", description: 1 }] }', "description is a text"],
    ['{ prompt: "x", allowFreeform: "yes" }', "allowFreeform is true or false"],
  ])("refuses %s in the body with a TypeError", (request, message) => {
    const body = start(ask(request), tool);
    expect(body.operations).toEqual([]);
    expect(body.output()).toEqual([true, expect.stringContaining(message)]);
  });

  test.each([", 5", ", { signals: 1 }", ", { signal: {} }"])("refuses the options%s", (options) => {
    expect(start(ask('{ prompt: "x" }', options), tool).output()).toEqual([true, expect.any(String)]);
  });
});

describe("ctx.abortSignal", () => {
  test("aborts by delivery, with its listeners, and is seen by steps", () => {
    const body = start(
      `async function main(input, ctx) {
        const stopped = new Promise((resolve) => ctx.abortSignal.addEventListener("abort", () => resolve("stopped"), { once: true }));
        const woke = await Promise.race([sleep(60000).then(() => "elapsed"), stopped]);
        return [woke, ctx.abortSignal.aborted, ctx.abortSignal.reason.name, ctx.abortSignal.reason.message];
      }`,
      tool,
    );
    body.pump({ type: "abort", signal: "call" });
    expect(body.output()).toEqual(["stopped", true, "AbortError", "This operation was aborted"]);
  });

  test("that aborted before it is first read is aborted then", () => {
    const body = start(
      "async function main(input, ctx) { await a(); return [ctx.abortSignal.aborted, ctx.abortSignal.reason]; }",
      tool,
    );
    body.pump({ type: "abort", signal: "call", reason: codec.encode("why", "reason") });
    body.resolve(`${STEP_A}#0`);
    expect(body.output()).toEqual([true, "why"]);
  });

  test("of the body's own making is durable once a step has it", () => {
    const body = start(
      `async function main(input, ctx) {
        const quiet = new AbortController();
        quiet.abort();
        const own = new AbortController();
        const any = AbortSignal.any([own.signal, ctx.abortSignal]);
        const done = a(own.signal, any, ctx.abortSignal, quiet.signal);
        const seen = [];
        any.onabort = () => seen.push("any");
        own.signal.addEventListener("abort", () => { seen.push("own"); throw new Error("listener"); });
        own.abort({ why: "test" });
        own.abort("again");
        try { any.throwIfAborted(); } catch (reason) { seen.push(reason); }
        await done;
        return seen;
      }`,
      tool,
    );
    const reason = codec.encode({ why: "test" }, "reason");
    expect(body.operations.slice(1)).toEqual([
      { op: "abort", signal: "signal#0", reason },
      { op: "abort", signal: "signal#1", reason },
    ]);
    const { args } = body.operations[0] as { args: string };
    const handles = (JSON.parse(args) as unknown[]).filter(
      (item) => typeof item === "object" && item !== null && "id" in item,
    );
    expect(handles).toHaveLength(4);
    body.resolve(`${STEP_A}#0`);
    expect(body.output()).toEqual(["own", "any", { why: "test" }]);
  });

  test("may be given to a plain workflow", () => {
    const body = start(
      "async function main(signal) { const before = signal.aborted; await a(); return [before, signal.aborted, signal instanceof AbortSignal]; }",
      {
        args: [],
        host: {},
      },
    );
    expect(body.error().message).toContain("aborted");
    const given = start(
      "async function main() { const signal = await a(); await a(); return signal.aborted; }",
      tool,
    );
    given.pump({
      type: "resolve",
      key: `${STEP_A}#0`,
      value: '[["AbortSignal",1],{"id":2,"aborted":3},"outer#0",false]',
    });
    given.pump({ type: "abort", signal: "outer#0" });
    given.resolve(`${STEP_A}#1`);
    expect(given.output()).toBe(true);
  });
});
