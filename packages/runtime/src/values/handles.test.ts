import { describe, expect, test } from "vitest";
import { evaluate, start, STEP_A } from "../replay/testing/bodies.js";
import { createHostCodec, type HostValues } from "./index.js";

const codec = createHostCodec();

describe("requests and responses", () => {
  test("are carried with their body", async () => {
    const request = new Request("http://a/b?c=1", {
      method: "PUT",
      headers: { "x-a": "1" },
      body: new Uint8Array([0, 255]),
    });
    const response = new Response("größe", {
      status: 201,
      statusText: "Made",
      headers: [
        ["set-cookie", "a=1"],
        ["set-cookie", "b=2"],
      ],
    });
    const text = await codec.encodeAsync(
      {
        request,
        response,
        empty: new Response(null, { status: 204 }),
        headers: new Headers({ z: "1", a: "2" }),
      },
      "result",
    );
    const back = codec.decode(text) as {
      request: Request;
      response: Response;
      empty: Response;
      headers: Headers;
    };
    expect([back.request.method, back.request.url, back.request.headers.get("x-a")]).toEqual([
      "PUT",
      "http://a/b?c=1",
      "1",
    ]);
    expect(new Uint8Array(await back.request.arrayBuffer())).toEqual(new Uint8Array([0, 255]));
    expect([back.response.status, back.response.statusText, back.response.headers.getSetCookie()]).toEqual([
      201,
      "Made",
      ["a=1", "b=2"],
    ]);
    expect(await back.response.text()).toBe("größe");
    expect(back.empty.status).toBe(204);
    expect([...back.headers]).toEqual([
      ["a", "2"],
      ["z", "1"],
    ]);
  });

  test("whose body is gone, or has to be read first, are refused", async () => {
    const response = new Response("x");
    await response.text();
    await expect(codec.encodeAsync(response, "result")).rejects.toThrow(/already read/);
    expect(() => codec.encode(new Response("x"), "result")).toThrow(/body has to be read/);
  });

  test("reach a body and come back", async () => {
    const body = start(
      `async function main(request) {
        const copy = request.clone();
        const echo = await a(new Response(await request.text(), { headers: { "x-m": request.method } }));
        return [await copy.text(), request.bodyUsed, echo.status, await echo.json()];
      }`,
      { args: [] },
    );
    expect(body.error()).toBeInstanceOf(TypeError);
    const step = createHostCodec();
    const with_ = start(
      `async function main() { const request = await a(); const copy = request.clone(); const echo = await a(new Response(await request.text(), { headers: { "x-m": request.method } })); return [await copy.text(), request.bodyUsed, echo.status, await echo.json()]; }`,
    );
    const request = new Request("http://a/", { method: "POST", body: "in" });
    with_.pump({ type: "resolve", key: `${STEP_A}#0`, value: await step.encodeAsync(request, "result") });
    const [sent] = step.decode((with_.operations[1] as { args: string }).args) as [Response];
    expect([await sent.text(), sent.headers.get("x-m")]).toEqual(["in", "POST"]);
    with_.pump({
      type: "resolve",
      key: `${STEP_A}#1`,
      value: await step.encodeAsync(Response.json({ ok: 1 }, { status: 202 }), "result"),
    });
    expect(with_.output()).toEqual(["in", true, 202, { ok: 1 }]);
  });
});

describe("handles", () => {
  test("become the engine's objects", async () => {
    const answers: unknown[] = [];
    const values: HostValues = {
      step: (stepId) => ({ stepId }),
      signal: ({ aborted }) => (aborted ? AbortSignal.abort() : new AbortController().signal),
      stream: (handle) => ({ ...handle }),
      toolContext: (handle) => ({ ...handle }),
      respond: async (request, response) => void answers.push([request, response.status]),
    };
    const host = createHostCodec(values);
    const body = start(
      `async function main() {
        const hook = createWebhook({ respondWith: "manual" });
        const request = await hook;
        await a(b, AbortSignal.abort(), getWritable(), getWritable({ namespace: "log" }), request);
      }`,
    );
    const request = new Request("http://a/", { method: "POST", body: "x" });
    body.pump({ type: "payload", key: "hook#0", value: await codec.encodeAsync(request, "payload") });
    const args = host.decode((body.operations.at(-1) as { args: string }).args) as [
      unknown,
      AbortSignal,
      unknown,
      unknown,
      Request & { respondWith(response: Response): Promise<void> },
    ];
    expect(args[0]).toEqual({ stepId: "step//./t//b" });
    expect(args[1].aborted).toBe(true);
    expect(args[2]).toEqual({ direction: "writable", runId: "run_1", name: "default" });
    expect(args[3]).toEqual({ direction: "writable", runId: "run_1", name: "named:log" });
    await args[4].respondWith(new Response(null, { status: 204 }));
    expect(answers).toEqual([["hook#0/0", 204]]);
  });

  test("that nobody can resolve are refused by name", () => {
    for (const [text, what] of [
      ['[["Step",1],{"stepId":2},"s"]', "A step reference"],
      ['[["AbortSignal",1],{"id":2,"aborted":3},"call",false]', "An AbortSignal"],
      ['[["Stream",1],{"name":2},"s"]', "A stream"],
      ['[["ToolContext",1],{"callId":2},"c"]', "A tool context"],
    ] as const) {
      expect(() => codec.decode(text)).toThrow(`${what} can't be used here`);
    }
    expect(() => codec.encode([new AbortController().signal], "args")).toThrow(/args\[0\] is a AbortSignal/);
  });

  test("of the body's own streams can be written to in the body", () => {
    const body = start(
      `async function main() {
        const writer = getWritable().getWriter();
        await writer.write({ n: 1 });
        await writer.close();
        try { await writer.write(2); } catch (e) { return e instanceof TypeError; }
      }`,
    );
    expect(body.operations).toEqual([
      { op: "stream-write", stream: "default", value: '[{"n":1},1]' },
      { op: "stream-close", stream: "default" },
    ]);
    expect(body.output()).toBe(true);
  });
});

test("metadata of the run can be read in the body", () => {
  expect(
    evaluate(
      "const m = getWorkflowMetadata(); return [m.workflowRunId, m.workflowName, m.workflowStartedAt instanceof Date, m.url];",
    ),
  ).toEqual(["run_1", "w", true, "http://127.0.0.1:3000"]);
});
