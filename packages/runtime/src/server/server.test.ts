import { once } from "node:events";
import { connect } from "node:net";
import type { EveHost } from "eve/internal/host-api";
import { HOST } from "eve/internal/symbols";
import { afterEach, describe, expect, test } from "vitest";
import type { StepFunction } from "../builds/server-module.js";
import { StoreCorruptedError } from "../errors/store.js";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness, type Harness } from "../testing/harness.js";
import { createServer, type EngineServer } from "./server.js";

let harness: Harness;
let server: EngineServer;
let control = "";
let steps: Record<string, StepFunction> = {};

const host = () => (globalThis as unknown as { [HOST]: EveHost })[HOST];

async function open(
  body: string,
  options: { publicUrl?: string; maxBody?: number; onError?: (error: Error) => void } = {},
): Promise<void> {
  const build = testBuild({ workflows: { tool: body }, steps, tools: { tool: { workflowId: "tool" } } });
  server = createServer({
    engine: () => harness.engine,
    onListen: (address) => (control = address.control),
    ...options,
  });
  harness = await openHarness(testBuilds(build), { webhooks: server });
}

afterEach(async () => {
  steps = {};
  await server.close();
  await harness.close();
});

async function call(input: unknown = {}) {
  const runId = await harness.engine.startRun({ tool: "tool", input });
  await harness.engine.run(runId).idle();
  return runId;
}

const urlOf = async (runId: string) => (await harness.store.hooks(runId))[0]?.url ?? "";
const result = (runId: string) => harness.engine.run(runId).result();
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: "POST", body, headers });

describe("Wait for an external system to call back", () => {
  test("createWebhook mints a URL that eve serves; the server listens from the moment a webhook exists", async () => {
    steps = { submit: (url) => String(url) };
    await open(`async () => {
      const done = createWebhook();
      const submitted = await step("submit")(done.url);
      const callback = await done;
      const { status } = await callback.json();
      return { same: submitted === done.url, status, method: callback.method, header: callback.headers.get("x-job"), isRequest: callback instanceof Request };
    }`);
    expect(server.address()).toBeUndefined();
    const runId = await call();
    const url = await urlOf(runId);
    expect(url).toMatch(new RegExp(`^${server.address()}/\\.well-known/workflow/v1/webhook/[\\w-]{22}$`));
    const response = await post(url, JSON.stringify({ status: "ok" }), {
      "x-job": "7",
      "content-type": "application/json",
    });
    expect(response.status).toBe(202);
    expect(await result(runId)).toEqual({
      status: "completed",
      output: { same: true, status: "ok", method: "POST", header: "7", isRequest: true },
    });
  });

  test("nothing runs in between: the run is parked, survives a restart, and its address stays good", async () => {
    await open(`async () => await (await createWebhook()).text()`);
    const runId = await call();
    const url = await urlOf(runId);
    await server.close();
    await harness.restart();
    expect(harness.engine.hotRuns).toBe(0);
    await server.openIfAwaited(harness.store);
    expect((await post(url, "late but there")).status).toBe(202);
    expect(await result(runId)).toEqual({ status: "completed", output: "late but there" });
  });

  test("of several addresses that were given away, that of the run that goes on is served", async () => {
    await open(`async () => await (await createWebhook()).text()`);
    const runs = [await call()];
    await server.close();
    await harness.restart();
    runs.push(await call());
    const urls = [await urlOf(runs[0] ?? ""), await urlOf(runs[1] ?? "")];
    expect(new URL(urls[0] ?? "").port).not.toBe(new URL(urls[1] ?? "").port);
    for (const at of [1, 0]) {
      await server.close();
      await harness.restart();
      await server.openIfAwaited(harness.store, runs[at]);
      expect((await post(urls[at] ?? "", "here")).status).toBe(202);
    }
  });

  test("an unknown, finished or plain hook's token is answered 404 with exactly that body", async () => {
    await open(
      `async () => { createHook({ token: "secret-plain-hook" }); return await (await createWebhook()).text(); }`,
    );
    const runId = await call();
    const url = (await harness.store.hooks(runId)).find((hook) => hook.webhook)?.url ?? "";
    const base = url.slice(0, url.lastIndexOf("/") + 1);
    for (const token of ["nope", "secret-plain-hook", "..%2F..", "%F0%9D%84%9E"]) {
      const response = await post(base + token, "x");
      expect(response.status).toBe(404);
      expect(await response.text()).toBe('{"error":"Webhook not pending.","ok":false}');
    }
    await post(url, "done");
    await result(runId);
    const late = await post(url, "again");
    expect([late.status, await late.text()]).toEqual([404, '{"error":"Webhook not pending.","ok":false}']);
  });

  test("each POST is one payload unless it repeats an Idempotency-Key", async () => {
    await open(`async () => {
      const got = [];
      for await (const request of createWebhook()) { got.push(await request.text()); if (got.length === 3) return got; }
    }`);
    const runId = await call();
    const url = await urlOf(runId);
    await post(url, "a", { "idempotency-key": "1" });
    expect((await post(url, "a again", { "idempotency-key": "1" })).status).toBe(202);
    await harness.restart();
    expect((await post(url, "a once more", { "idempotency-key": "1" })).status).toBe(202);
    await Promise.all([
      post(url, "b", { "idempotency-key": "2" }),
      post(url, "b", { "idempotency-key": "2" }),
    ]);
    await post(url, "a", {});
    expect(await result(runId)).toEqual({ status: "completed", output: ["a", "b", "a"] });
  });

  test("respondWith: a fixed response is the answer to every request", async () => {
    await open(`async () => {
      const hook = createWebhook({ respondWith: new Response("thanks", { status: 201, headers: { "x-a": "b" } }) });
      await hook; await hook;
    }`);
    const runId = await call();
    const url = await urlOf(runId);
    for (let n = 0; n < 2; n += 1) {
      const response = await post(url, "x");
      expect([response.status, response.headers.get("x-a"), await response.text()]).toEqual([
        201,
        "b",
        "thanks",
      ]);
    }
    await result(runId);
  });

  test('respondWith: "manual" answers from the body', async () => {
    await open(`async () => {
      const request = await createWebhook({ respondWith: "manual" });
      const { n } = await request.json();
      await request.respondWith(Response.json({ twice: n * 2 }, { status: 203 }));
      return "answered";
    }`);
    const runId = await call();
    const response = await post(await urlOf(runId), '{"n":21}');
    expect([response.status, await response.json()]).toEqual([203, { twice: 42 }]);
    expect(await result(runId)).toEqual({ status: "completed", output: "answered" });
  });

  test('respondWith: "manual" answers from a step that received the request', async () => {
    steps = {
      reply: async (request) =>
        await (request as { respondWith(r: Response): Promise<void> }).respondWith(
          new Response("from the step"),
        ),
    };
    await open(
      `async () => { const request = await createWebhook({ respondWith: "manual" }); await step("reply")(request); return 1; }`,
    );
    const runId = await call();
    const response = await post(await urlOf(runId), "x");
    expect(await response.text()).toBe("from the step");
    expect(await result(runId)).toEqual({ status: "completed", output: 1 });
  });

  test("a body that ends without answering leaves nobody waiting", async () => {
    await open(`async () => { await createWebhook({ respondWith: "manual" }); return "no answer"; }`);
    const runId = await call();
    expect((await post(await urlOf(runId), "x")).status).toBe(202);
    expect(await result(runId)).toEqual({ status: "completed", output: "no answer" });
  });

  test("a body may have 4 MiB where nothing else is said", async () => {
    await open(`async () => (await (await createWebhook()).text()).length`);
    const runId = await call();
    const url = await urlOf(runId);
    const LIMIT = 4 * 1024 * 1024;
    expect((await post(url, "x".repeat(LIMIT + 1))).status).toBe(413);
    expect((await post(url, "x".repeat(LIMIT))).status).toBe(202);
    expect(await result(runId)).toEqual({ status: "completed", output: LIMIT });
  });

  test("a body larger than the limit is refused, and the hook stays open", async () => {
    await open(`async () => (await (await createWebhook()).text()).length`, { maxBody: 1_000 });
    const runId = await call();
    const url = await urlOf(runId);
    expect((await post(url, "x".repeat(1_001))).status).toBe(413);
    expect((await post(url, "x".repeat(1_000))).status).toBe(202);
    expect(await result(runId)).toEqual({ status: "completed", output: 1_000 });
  });

  test("payloads of any shape arrive byte for byte", async () => {
    await open(`async () => {
      const out = [];
      for await (const request of createWebhook()) {
        out.push([request.method, [...await request.bytes()].length]);
        if (out.length === 3) return out;
      }
    }`);
    const runId = await call();
    const url = await urlOf(runId);
    await post(url, "");
    await fetch(url, { method: "POST", body: new Uint8Array([0, 255, 128, 10]) });
    await post(url, "{not json");
    expect(await result(runId)).toEqual({
      status: "completed",
      output: [
        ["POST", 0],
        ["POST", 4],
        ["POST", 9],
      ],
    });
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"])(
    "%s is no payload: 405, and the hook stays open",
    async (method) => {
      await open(`async () => (await (await createWebhook()).text())`);
      const runId = await call();
      const url = await urlOf(runId);
      const refused = await fetch(url, { method });
      expect(refused.status).toBe(405);
      expect(refused.headers.get("allow")).toBe("POST");
      if (method !== "HEAD")
        expect(await refused.json()).toEqual({ error: "Webhooks take POST.", ok: false });
      await post(url, "a payload");
      expect(await result(runId)).toEqual({ status: "completed", output: "a payload" });
    },
  );

  test.each([
    ["hooks.example", "is no URL"],
    ["ftp://hooks.example", "doesn't begin with http"],
    ["https://hooks.example/?a=1", "has more behind its path"],
  ])("an EVE_PUBLIC_URL like %s is refused at once", (publicUrl, reason) => {
    expect(() => createServer({ engine: () => harness.engine, publicUrl })).toThrow(
      expect.objectContaining({ code: "INVALID_PUBLIC_URL", message: expect.stringContaining(reason) }),
    );
  });

  test("what fails in here is told to the server's log, and to anonymous callers only that it failed", async () => {
    const errors: Error[] = [];
    await open(`async () => await (await createWebhook()).text()`, {
      onError: (error) => errors.push(error),
    });
    const url = await urlOf(await call());
    const { hook } = harness.store;
    harness.store.hook = () =>
      Promise.reject(new StoreCorruptedError("/srv/secret/eve.db", "a page is damaged"));
    const response = await post(url, "x");
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ error: "The request failed.", ok: false });
    expect(errors).toMatchObject([{ code: "STORE_CORRUPTED" }]);
    harness.store.hook = hook;
    expect((await post(url, "x")).status).toBe(202);
  });

  test("a client that leaves in the middle of its body is no error of ours", async () => {
    const errors: Error[] = [];
    await open(`async () => await (await createWebhook()).text()`, {
      onError: (error) => errors.push(error),
    });
    const runId = await call();
    const url = new URL(await urlOf(runId));
    for (const lengths of ["content-length: 1000", "transfer-encoding: chunked"]) {
      const socket = connect(Number(url.port), url.hostname);
      await once(socket, "connect");
      const chunk = lengths.startsWith("transfer") ? "5\r\nhello\r\n" : "hello";
      socket.write(`POST ${url.pathname} HTTP/1.1\r\nhost: x\r\n${lengths}\r\n\r\n${chunk}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(errors).toEqual([]);
    expect((await post(url.href, "whole")).status).toBe(202);
    expect(await result(runId)).toEqual({ status: "completed", output: "whole" });
  });

  test("with EVE_PUBLIC_URL the address is the public one", async () => {
    await open(`async () => { await createWebhook(); }`, { publicUrl: "https://hooks.example/base/" });
    const runId = await call();
    expect(await urlOf(runId)).toMatch(
      /^https:\/\/hooks\.example\/base\/\.well-known\/workflow\/v1\/webhook\/[\w-]{22}$/,
    );
    expect(server.address()).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  test("resumeWebhook from a step delivers the same way", async () => {
    steps = {
      self: async (token) =>
        (await host().resumeWebhook(String(token), new Request("http://x/", { method: "POST", body: "hi" })))
          .status,
    };
    await open(`async () => {
      const hook = createWebhook();
      const status = await step("self")(hook.token);
      return [status, await (await hook).text()];
    }`);
    expect(await result(await call())).toEqual({ status: "completed", output: [202, "hi"] });
  });
});

describe("routes for commands of the same user", () => {
  const api = (path: string, init: RequestInit = {}) =>
    fetch(`${server.address()}${path}`, { ...init, headers: { authorization: `Bearer ${control}` } });

  async function opened(): Promise<string> {
    await open(
      `async (input, ctx) => (await ctx.ask({ prompt: "Go?", options: [{ id: "yes", label: "Yes" }] })).optionId`,
    );
    await server.open();
    return await call();
  }

  test("need the control word", async () => {
    const runId = await opened();
    for (const path of ["/eve/v1/runs", `/eve/v1/runs/${runId}`]) {
      expect((await fetch(server.address() + path)).status).toBe(401);
      expect(
        (await fetch(server.address() + path, { headers: { authorization: "Bearer wrong" } })).status,
      ).toBe(401);
    }
    expect((await fetch(`${server.address()}/eve/v1/health`)).status).toBe(200);
  });

  test("list, show and answer", async () => {
    const runId = await opened();
    expect(await (await api("/eve/v1/runs")).json()).toMatchObject([
      { runId, tool: "tool", status: "waiting" },
    ]);
    expect(await (await api(`/eve/v1/runs/${runId}`)).json()).toMatchObject({
      waits: [{ kind: "question", status: "open" }],
    });
    const answer = (optionId: string) =>
      api(`/eve/v1/runs/${runId}/inputs`, {
        method: "POST",
        body: JSON.stringify({ inputResponses: [{ requestId: `${runId}-ask-0`, optionId }] }),
      });
    const wrong = await answer("no");
    expect([wrong.status, ((await wrong.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      "INVALID_ANSWER",
    ]);
    expect((await answer("yes")).status).toBe(200);
    expect(await result(runId)).toEqual({ status: "completed", output: "yes" });
    expect((await answer("yes")).status).toBe(409);
  });

  test("cancel waits for the end", async () => {
    const runId = await opened();
    const response = await api(`/eve/v1/runs/${runId}/cancel`, {
      method: "POST",
      body: JSON.stringify({ reason: "enough" }),
    });
    expect(await response.json()).toEqual({ status: "cancelled" });
  });

  test("say what is wrong with a request, and never more", async () => {
    const runId = await opened();
    expect((await api("/eve/v1/runs/none")).status).toBe(404);
    expect((await api(`/eve/v1/runs/${runId}/inputs`, { method: "POST", body: "{" })).status).toBe(400);
    const odd = await api(`/eve/v1/runs/${runId}/inputs`, { method: "POST", body: '{"inputResponses":[]}' });
    expect(await odd.json()).toMatchObject({
      error: { code: "INVALID_REQUEST", message: expect.stringContaining("inputResponses") },
    });
    expect((await api("/eve/v1/other")).status).toBe(404);
  });
});

test("an address that is taken is named", async () => {
  await open(`async () => {}`);
  await server.open();
  const port = Number(new URL(server.address() ?? "").port);
  const second = createServer({ engine: () => harness.engine, port });
  await expect(second.open()).rejects.toMatchObject({
    code: "LISTEN_FAILED",
    message: expect.stringContaining(String(port)),
  });
});
