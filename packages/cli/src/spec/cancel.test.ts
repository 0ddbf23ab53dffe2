// Each test is named after the sentence of the specification that it proves.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { appWith, toolSource } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

const RENDER = `
const seen: string[] = ((globalThis as any).__seen ??= []);
async function submitRender(projectId: string) {
  "use step";
  return "job-" + projectId;
}
async function waitForRender(jobId: string, signal: AbortSignal) {
  "use step";
  seen.push("waiting for " + jobId);
  await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}
async function abortRender(jobId: string) {
  "use step";
  seen.push("aborted " + jobId);
}
`;
const RENDER_BODY = `
    const jobId = await submitRender(input.projectId);
    try {
      return await waitForRender(jobId, ctx.abortSignal);
    } finally {
      if (ctx.abortSignal.aborted) await abortRender(jobId);
    }`;

const tools = {
  render: toolSource(RENDER_BODY, RENDER),
  parked: toolSource("await createHook(); return 1;"),
  sleepy: toolSource(
    `const stopped = new Promise((resolve) => ctx.abortSignal.addEventListener("abort", () => resolve("stopped"), { once: true }));
    const elapsed = sleep(input.seconds * 1_000).then(() => "elapsed");
    const woke = await Promise.race([elapsed, stopped]);
    return woke === "elapsed" ? { waitedSeconds: input.seconds } : { interrupted: true };`,
  ),
  asks: toolSource('return await ctx.ask({ prompt: "?" });'),
  slow: toolSource('try { await createHook(); } finally { await sleep("1h"); }'),
};

let app: CompiledApp & { dispose(): Promise<void> };
const seen = (): string[] => ((globalThis as { __seen?: string[] }).__seen ??= []);
beforeAll(async () => {
  app = await compiledApp(appWith(tools));
});
beforeEach(() => void (seen().length = 0));
afterAll(() => app.dispose());

describe("Cancel and clean up: ctx.abortSignal", () => {
  it("ctx.abortSignal aborts when the call is cancelled; a step that receives it observes the abort", async () => {
    const runId = await app.call("render", { projectId: "p" });
    expect(seen()).toEqual(["waiting for job-p"]);
    await app.engine.cancel(runId);
    await app.clock.settle();
    expect(seen()).toEqual(["waiting for job-p", "aborted job-p"]);
    expect(await app.result(runId)).toEqual({ status: "cancelled" });
  });

  it("It is durable: it survives replay", async () => {
    const runId = await app.call("slow");
    await app.engine.cancel(runId);
    await app.restart();
    const { timeline } = await app.report(runId);
    expect(timeline.map(({ text }) => text)).toContain("the call's signal aborted");
    await app.clock.advance(30_000);
    expect(await app.result(runId)).toEqual({ status: "cancelled" });
  });

  it("After a cancel aborts the signal, the run waits up to 30 seconds for the body to finish unwinding, then ends as cancelled whether or not it did", async () => {
    const runId = await app.call("parked");
    await app.engine.cancel(runId);
    await app.clock.advance(29_999);
    expect(await app.engine.run(runId).status()).toBe("waiting");
    await app.clock.advance(1);
    expect(await app.result(runId)).toEqual({ status: "cancelled" });
  });

  it("A body parked on a hook or a sleep does not observe the signal; it is abandoned when the grace period ends", async () => {
    const runId = await app.call("slow");
    await app.engine.cancel(runId);
    await app.clock.advance(30_000);
    expect(await app.result(runId)).toEqual({ status: "cancelled" });
    expect((await app.report(runId)).waits).toMatchObject([{ kind: "hook", status: "withdrawn" }]);
  });

  it("The caller waits up to 35 seconds for a cooperatively cancelled run to settle before forcing it to stop", async () => {
    const runId = await app.call("parked");
    const waited = app.engine.cancelAndWait(runId);
    await app.clock.advance(35_000);
    expect(await waited).toEqual({ status: "cancelled" });
  });

  it("keeps the deadlines when the process is gone in between", async () => {
    const runId = await app.call("parked");
    await app.engine.cancel(runId);
    await app.clock.advance(10_000);
    await app.restart();
    await app.clock.advance(19_999);
    expect(await app.engine.run(runId).status()).toBe("waiting");
    await app.clock.advance(1);
    expect(await app.result(runId)).toEqual({ status: "cancelled" });
  });
});

describe("Stop early for a new message", () => {
  it("The call settles with what the body returns", async () => {
    const runId = await app.call("sleepy", { seconds: 60 });
    await app.engine.abort(runId);
    expect(await app.result(runId)).toEqual({ status: "completed", output: { interrupted: true } });
    const left = await app.call("sleepy", { seconds: 60 });
    await app.clock.advance(60_000);
    expect(await app.result(left)).toEqual({ status: "completed", output: { waitedSeconds: 60 } });
  });

  it("Questions: a pending ctx.ask question is withdrawn and resolves as cancelled", async () => {
    const runId = await app.call("asks");
    await app.engine.abort(runId);
    expect(await app.result(runId)).toEqual({ status: "completed", output: { status: "cancelled" } });
  });

  it("No grace period: a body that doesn't observe the signal keeps the turn waiting until it finishes", async () => {
    const runId = await app.call("parked");
    await app.engine.abort(runId);
    await app.clock.advance(120_000);
    expect(await app.engine.run(runId).status()).toBe("waiting");
  });
});
