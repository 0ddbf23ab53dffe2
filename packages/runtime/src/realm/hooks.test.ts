import { transform } from "esbuild";
import { describe, expect, test } from "vitest";
import { codec, evaluate, start, STEP_A, type TestBody } from "../replay/testing/bodies.js";

const payload = (body: TestBody, value: unknown, key = "hook#0") =>
  body.pump({ type: "payload", key, value: codec.encode(value, "payload") });

describe("a hook", () => {
  test("is created with its token and metadata, and awaited for one payload after the other", () => {
    const body = start(`async function main() {
      const hook = createHook({ token: "order-7", metadata: { order: 7 } });
      return [hook.token, await hook, await hook];
    }`);
    expect(body.operations).toEqual([
      {
        op: "hook",
        key: "hook#0",
        token: "order-7",
        webhook: false,
        metadata: '[{"order":1},7]',
        site: expect.stringMatching(/^7:\d+ 12:20$/) as string,
      },
    ]);
    payload(body, { n: 1 });
    payload(body, { n: 2 });
    expect(body.output()).toEqual(["order-7", { n: 1 }, { n: 2 }]);
  });

  test("gets a token from the host when the author names none", () => {
    expect(evaluate("return createHook().token;")).toBe("token-hook#0");
  });

  test("keeps payloads that come while nobody waits", () => {
    const body = start(
      "async function main() { const hook = createHook(); await a(); return [await hook, await hook]; }",
    );
    payload(body, 1);
    payload(body, 2);
    body.resolve(`${STEP_A}#0`);
    expect(body.output()).toEqual([1, 2]);
  });

  test("is iterated", () => {
    const body = start(`async function main() {
      const hook = createHook();
      const seen = [];
      for await (const item of hook) { seen.push(item); if (item === "stop") break; }
      return seen;
    }`);
    for (const item of ["a", "b", "stop"]) payload(body, item);
    expect(body.output()).toEqual(["a", "b", "stop"]);
  });

  test("raced again and again loses no payload, whenever it comes", () => {
    const source = (race: string) => `async function main() {
      const hook = createHook();
      const seen = [];
      for (let n = 0; n < 3; n++) { seen.push((await ${race}) ?? "timeout"); await a(n); }
      return seen;
    }`;
    for (const race of [
      'Promise.race([hook, sleep("1h")])',
      'Promise.any([hook, sleep("1h")])',
      'Promise.race([sleep("1h"), hook, hook])',
    ]) {
      const between = start(source(race));
      between.resolve("sleep#0");
      // While the body is in a step, and no race is open.
      payload(between, "p1");
      between.resolve(`${STEP_A}#0`);
      between.resolve(`${STEP_A}#1`);
      payload(between, "p2");
      between.resolve(`${STEP_A}#2`);
      expect(between.output()).toEqual(["timeout", "p1", "p2"]);
    }
    const derived = start(source("Promise.race([hook.then((p) => p), sleep(1)])"));
    derived.resolve("sleep#0");
    derived.resolve(`${STEP_A}#0`);
    payload(derived, "p1");
    derived.resolve(`${STEP_A}#1`);
    payload(derived, "p2");
    derived.resolve(`${STEP_A}#2`);
    expect(derived.output()).toEqual(["timeout", "p1", "p2"]);
  });

  test("gives back what a race took and didn't win with", () => {
    const body = start(`async function main() {
      const hook = createHook();
      const other = createHook();
      await a();
      const seen = [await Promise.race([Promise.resolve("other"), hook, hook])];
      seen.push(await Promise.any([hook, new Promise(() => {})]), await hook);
      const both = [Promise.race([hook, a("x")]), Promise.race([hook, a("x")])];
      seen.push(await Promise.race(both));
      const lost = Promise.race([new Promise((resolve) => hook.then(() => resolve("derived"))), other]);
      seen.push(await lost);
      return [...seen, await Promise.race([hook, sleep(1)])];
    }`);
    payload(body, "p1");
    payload(body, "p2");
    body.resolve(`${STEP_A}#0`);
    expect(body.operations.filter(({ op }) => op === "step")).toHaveLength(3);
    payload(body, "p3");
    payload(body, "p4");
    payload(body, "p5");
    expect(body.output()).toEqual(["other", "p1", "p2", "p3", "derived", "p5"]);
  });

  test("rejects a race when its token is taken", () => {
    const body = start(`async function main() {
      const hook = createHook({ token: "t" });
      const all = await Promise.any([hook, hook]).catch((error) => error.errors.map((e) => e.name));
      return [all, await Promise.race([hook, sleep(1)]).catch((error) => error.name)];
    }`);
    body.pump({ type: "hook-conflict", key: "hook#0", token: "t", runId: "run_9" });
    expect(body.output()).toEqual([["HookConflictError", "HookConflictError"], "HookConflictError"]);
  });

  test("gives each of several waits of one moment a payload of its own", () => {
    const body = start(
      "async function main() { const hook = createHook(); return Promise.all([hook, hook]); }",
    );
    payload(body, 1);
    payload(body, 2);
    expect(body.output()).toEqual([1, 2]);
  });

  test("is released by dispose and by using", () => {
    const body = start(`async function main() {
      const hook = createHook();
      const loop = (async () => { for await (const item of hook) void item; return "done"; })();
      const wait = hook.then(() => "payload", (error) => error.code);
      await a();
      hook[Symbol.dispose]();
      hook.dispose();
      await a();
      return [await loop, await wait, await hook.then(null, (error) => error.message)];
    }`);
    body.resolve(`${STEP_A}#0`);
    payload(body, "too late");
    body.resolve(`${STEP_A}#1`);
    expect(body.operations.filter(({ op }) => op === "hook-dispose")).toEqual([
      { op: "hook-dispose", key: "hook#0" },
    ]);
    expect(body.output()).toEqual([
      "done",
      "HOOK_DISPOSED",
      expect.stringContaining("token-hook#0") as string,
    ]);
  });

  test("is released at the end of a block by using, as it is compiled", async () => {
    const { code } = await transform(
      "async function main() { { using hook = createHook(); await using other = createHook(); await hook; } await a(); }",
      { target: "node20" },
    );
    const body = start(code);
    payload(body, 1);
    expect(body.operations.map((op) => `${op.op} ${(op as { key: string }).key}`)).toEqual([
      "hook hook#0",
      "hook hook#1",
      "hook-dispose hook#1",
      "hook-dispose hook#0",
      `step ${STEP_A}#0`,
    ]);
  });

  test("tells whether its token is taken", () => {
    const source = `async function main() {
      const hook = createHook({ token: "t" });
      const conflict = await hook.getConflict();
      try { return [conflict, await hook.getConflict() === conflict, await hook]; } catch (e) { return [conflict, e.name, e.message]; }
    }`;
    const free = start(source);
    free.pump({ type: "hook-ready", key: "hook#0" });
    payload(free, "p");
    expect(free.output()).toEqual([null, true, "p"]);
    const taken = start(source);
    taken.pump({ type: "hook-conflict", key: "hook#0", token: "t", runId: "run_9" });
    expect(taken.output()).toEqual([
      { runId: "run_9" },
      "HookConflictError",
      'The hook token "t" is in use by run run_9.',
    ]);
    const unknown = start(
      "async function main() { try { await createHook({ token: 't' }).getConflict(); } catch (e) { return e.name; } }",
    );
    unknown.pump({ type: "hook-conflict", key: "hook#0", token: "t", runId: null });
    expect(unknown.output()).toBe("HookConflictError");
  });

  test("rejects with the class that the bundle registered", () => {
    const body =
      start(`class HookConflictError extends Error { constructor(token, runId) { super("mine"); this.token = token; this.runId = runId; } }
    globalThis[Symbol.for("eve.errors")] = { HookConflictError };
    async function main() { try { await createHook({ token: "t" }); } catch (e) { return [e instanceof HookConflictError, e.token, e.runId]; } }`);
    body.pump({ type: "hook-conflict", key: "hook#0", token: "t", runId: "run_9" });
    expect(body.output()).toEqual([true, "t", "run_9"]);
  });

  test.each([
    ['{ token: "" }', "is empty"],
    ["{ token: 7 }", "is of type number"],
    ["{ token: null }", "is null"],
    ['{ token: "x".repeat(513) }', "has 513"],
    ['{ token: "a\\nb" }', "holds a control character"],
    ['{ token: "a\\u0000" }', "holds a control character"],
    ['{ token: "\\ud800" }', "half of a character"],
  ])("with the options %s is a TypeError", (options, reason) => {
    const said = evaluate(
      `try { createHook(${options}); } catch (e) { return e instanceof TypeError && e.message; }`,
    );
    expect(said).toMatch(/^A hook's token is a text of 1 to 512 characters; it /);
    expect(said).toContain(reason);
  });

  test("takes any other text as its token, up to 512 characters", () => {
    expect(evaluate('return createHook({ token: "x".repeat(512) }).token.length')).toBe(512);
    expect(evaluate('return createHook({ token: "order 7/ü:😀" }).token')).toBe("order 7/ü:😀");
  });

  test("can't be passed to a step; the message says what to do", () => {
    expect(evaluate("try { await a({ hook: createHook() }); } catch (e) { return e.message; }")).toBe(
      "args[0].hook is a hook: pass its token, or await it first",
    );
  });

  test("with a payload that can't be read rejects the wait", () => {
    const body = start("async function main() { try { await createHook(); } catch (e) { return e.code; } }");
    body.pump({ type: "payload", key: "hook#0", value: "[[9]" });
    expect(body.output()).toBe("VALUE_FORMAT");
  });
});

describe("a webhook", () => {
  test("has a url, and requests as payloads", async () => {
    const body = start(`async function main() {
      const done = createWebhook();
      await a(done.url);
      const request = await done;
      return [done.url, request instanceof Request, request.method, request.headers.get("x-id"), await request.json()];
    }`);
    expect(body.operations[0]).toMatchObject({ op: "hook", webhook: true, token: "token-hook#0" });
    const request = new Request("http://127.0.0.1:3000/x", {
      method: "POST",
      headers: { "x-id": "7" },
      body: '{"status":"ok"}',
    });
    body.pump({ type: "payload", key: "hook#0", value: await codec.encodeAsync(request, "payload") });
    body.resolve(`${STEP_A}#0`);
    expect(body.output()).toEqual([
      "http://127.0.0.1:3000/.well-known/workflow/v1/webhook/token-hook#0",
      true,
      "POST",
      "7",
      { status: "ok" },
    ]);
  });

  test("answers with a fixed response, given either way", () => {
    for (const options of [
      '{ respondWith: new Response("thanks", { status: 201 }) }',
      '{ metadata: { respondWith: new Response("thanks", { status: 201 }) } }',
    ]) {
      const body = start(`async function main() { createWebhook(${options}); await a(); }`);
      const { respondWith } = body.operations[0] as { respondWith: string };
      const response = codec.decode(respondWith) as Response;
      expect([response instanceof Response, response.status, response.headers.get("content-type")]).toEqual([
        true,
        201,
        "text/plain;charset=UTF-8",
      ]);
    }
  });

  test("is answered by the body, once per request", async () => {
    const body = start(`async function main() {
      const hook = createWebhook({ respondWith: "manual" });
      const request = await hook;
      await request.respondWith(Response.json({ got: await request.text() }));
      try { await request.respondWith(new Response()); } catch (e) { return e.message; }
    }`);
    expect(body.operations[0]).toMatchObject({ respondWith: "manual" });
    const request = new Request("http://x/", { method: "POST", body: "ping" });
    body.pump({ type: "payload", key: "hook#0", value: await codec.encodeAsync(request, "payload") });
    const answer = body.operations[1] as { op: string; request: string; response: string };
    expect(answer).toMatchObject({ op: "respond", request: "hook#0/0" });
    expect(await (codec.decode(answer.response) as Response).json()).toEqual({ got: "ping" });
    expect(body.output()).toBe("This request was answered already.");
  });

  test.each(['"later"', "{}", "() => new Response()"])("refuses respondWith: %s", (respondWith) => {
    expect(
      evaluate(
        `try { createWebhook({ respondWith: ${respondWith} }); } catch (e) { return e instanceof TypeError; }`,
      ),
    ).toBe(true);
  });
});
