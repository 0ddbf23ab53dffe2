// Each test is named after the sentence of the specification that it proves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appWith, toolSource } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

const SUBMIT = `
async function submitRender(projectId: string, url: string) {
  "use step";
  ((globalThis as any).__urls ??= []).push(url);
  return "job-" + projectId;
}
async function answerIt(request: any) {
  "use step";
  await request.respondWith(new Response("from a step", { status: 201 }));
}
`;
const tools = {
  render_video: toolSource(
    `const done = createWebhook();
    const jobId = await submitRender(input.projectId, done.url);
    const callback = await done;
    const { status, url } = await callback.json();
    if (status !== "ok") throw new FatalError(\`Render \${jobId} failed: \${status}\`);
    return { url };`,
    SUBMIT,
  ),
  fixed: toolSource(
    'const hook = createWebhook({ respondWith: new Response("thanks", { status: 200, headers: { "x-eve": "1" } }) }); await submitRender("f", hook.url); await hook; return 1;',
    SUBMIT,
  ),
  manual: toolSource(
    'const hook = createWebhook({ respondWith: "manual" }); await submitRender("m", hook.url); const request = await hook; await request.respondWith(Response.json({ got: await request.text() })); return 1;',
    SUBMIT,
  ),
  manualStep: toolSource(
    'const hook = createWebhook({ respondWith: "manual" }); await submitRender("m", hook.url); const request = await hook; await answerIt(request); return 1;',
    SUBMIT,
  ),
  counted: toolSource(
    'const hook = createWebhook(); await submitRender("c", hook.url); const bodies = []; for await (const request of hook) { bodies.push(await request.text()); if (bodies.length === 2) break; } return bodies;',
    SUBMIT,
  ),
  tokened: toolSource('return await createHook({ token: "order:" + input.id, metadata: { a: 1 } });'),
  withToken: toolSource(
    'try { (createWebhook as any)({ token: "mine" }); } catch (error: any) { return error.message; }',
  ),
};

let app: CompiledApp & { dispose(): Promise<void> };
beforeAll(async () => {
  app = await compiledApp(appWith(tools));
});
afterAll(() => app.dispose());

const urls = (): string[] => ((globalThis as { __urls?: string[] }).__urls ??= []);

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  const token = decodeURIComponent(url.slice(url.lastIndexOf("/") + 1));
  const response = await app.engine.resumeWebhook(token, new Request(url, { method: "POST", body, headers }));
  await app.clock.settle();
  return response;
}

async function waiting(tool: string, input: object = { projectId: "p" }) {
  const runId = await app.call(tool, input);
  return { runId, url: urls().at(-1) ?? "" };
}

describe("Wait for an external system to call back", () => {
  it("createWebhook mints a URL under /.well-known/workflow/v1/webhook/ that eve serves", async () => {
    const { runId, url } = await waiting("render_video");
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:7000\/\.well-known\/workflow\/v1\/webhook\/[\w-]{22,}$/);
    expect((await post(url, JSON.stringify({ status: "ok", url: "https://v" }))).status).toBe(202);
    expect(await app.result(runId)).toEqual({ status: "completed", output: { url: "https://v" } });
  });

  it("a FatalError in the body fails the call with its message", async () => {
    const { runId, url } = await waiting("render_video");
    await post(url, JSON.stringify({ status: "broken" }));
    expect(await app.result(runId)).toMatchObject({
      status: "failed",
      error: { name: "FatalError", message: "Render job-p failed: broken" },
    });
  });

  it("Nothing runs in between", async () => {
    const { runId, url } = await waiting("render_video");
    await app.restart();
    expect(app.engine.hotRuns).toBe(0);
    await post(url, JSON.stringify({ status: "ok", url: "later" }));
    expect(await app.result(runId)).toEqual({ status: "completed", output: { url: "later" } });
  });

  it("Webhook tokens are generated for you; use createHook with resumeHook if you need a deterministic token", async () => {
    expect(await app.result(await app.call("withToken"))).toMatchObject({
      output: expect.stringMatching(/createWebhook\(\) takes no token/),
    });
    const runId = await app.call("tokened", { id: 7 });
    expect(await app.engine.getHookByToken("order:7")).toMatchObject({
      token: "order:7",
      runId,
      metadata: { a: 1 },
      isWebhook: false,
    });
    await app.engine.resumeHook("order:7", { paid: true });
    expect(await app.result(runId)).toEqual({ status: "completed", output: { paid: true } });
  });

  it("To customize the HTTP response, pass respondWith: new Response(...) to createWebhook", async () => {
    const { url } = await waiting("fixed");
    const response = await post(url, "x");
    expect([response.status, await response.text(), response.headers.get("x-eve")]).toEqual([
      200,
      "thanks",
      "1",
    ]);
  });

  it("answers by hand, in the body or in a step", async () => {
    expect(await (await post((await waiting("manual")).url, "hello")).json()).toEqual({ got: "hello" });
    const response = await post((await waiting("manualStep")).url, "hello");
    expect([response.status, await response.text()]).toEqual([201, "from a step"]);
  });

  it("takes each POST as one payload, unless it repeats an Idempotency-Key", async () => {
    const { runId, url } = await waiting("counted");
    await post(url, "a", { "Idempotency-Key": "k" });
    await post(url, "a again", { "Idempotency-Key": "k" });
    await post(url, "b");
    expect(await app.result(runId)).toEqual({ status: "completed", output: ["a", "b"] });
  });

  it("answers 404 for a token that is unknown, finished, or no webhook's", async () => {
    const { url } = await waiting("fixed");
    await post(url, "x");
    await app.call("tokened", { id: 8 });
    for (const gone of [url, "http://x/none", "http://x/order%3A8"]) {
      const response = await post(gone, "y");
      expect([response.status, await response.text()]).toEqual([
        404,
        '{"error":"Webhook not pending.","ok":false}',
      ]);
    }
  });
});
