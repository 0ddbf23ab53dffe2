// Each test is named after the sentence of the specification that it proves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appWith, toolSource } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

const STEPS = `
let tries = 0;
async function failing() {
  "use step";
  tries += 1;
  throw new Error("try " + tries);
}
(failing as any).maxRetries = 2;
async function fatal() {
  "use step";
  tries += 1;
  throw new FatalError("never again");
}
async function count() {
  "use step";
  return tries;
}
async function reset() {
  "use step";
  tries = 0;
}
`;
const DEPLOY = `
import { defineWorkflowTool } from "eve/tools";
import { sleep } from "workflow";
const APPROVE_OR_CANCEL = [{ id: "approve", label: "Approve" }, { id: "cancel", label: "Cancel" }];
export default defineWorkflowTool({
  description: "Deploy with a deadline and an escalation.",
  inputSchema: { type: "object" },
  async task({ service }: { service: string }, ctx: any) {
    "use workflow";
    const plan = await planDeploy(service);
    const pending = ctx.ask({ prompt: \`Deploy \${service}?\`, display: "confirmation", options: APPROVE_OR_CANCEL });

    let answer = await Promise.race([pending, sleep("4h")]);
    if (answer === undefined) {
      await pageOnCall(service);
      answer = await Promise.race([pending, sleep("20h")]);
    }

    if (answer === undefined) return { deployed: false, reason: "timed out" };
    if (answer.status !== "answered" || answer.optionId !== "approve") {
      return { deployed: false, reason: "rejected" };
    }
    return { deployed: true, url: await applyDeploy(plan) };
  },
});
async function planDeploy(service: string) {
  "use step";
  return { service };
}
async function pageOnCall(service: string) {
  "use step";
  return service;
}
async function applyDeploy(plan: { service: string }) {
  "use step";
  return "https://" + plan.service;
}
`;

const tools = {
  deploy: DEPLOY,
  retried: toolSource(
    "await reset(); try { await failing(); } catch (error: any) { return { name: error.name, message: error.message, attempts: error.attempts, stepId: error.stepId, cause: error.cause.message, tries: await count() }; }",
    STEPS,
  ),
  fatal: toolSource(
    "await reset(); try { await fatal(); } catch (error: any) { return { is: error instanceof FatalError, fatal: error.fatal, message: error.message, tries: await count() }; }",
    STEPS,
  ),
  escapes: toolSource('throw new RangeError("out of the body");'),
  moving: toolSource('await sleep("1h"); return "old build";'),
  twice: toolSource(
    'const asks = [ctx.ask({ prompt: "a?" }), ctx.ask({ prompt: "b?" })]; return await Promise.all(asks);',
  ),
  returns: toolSource('void ctx.ask({ prompt: "left open?" }); await sleep(1000); return 1;'),
};

let app: CompiledApp & { dispose(): Promise<void> };
beforeAll(async () => {
  app = await compiledApp(appWith(tools));
});
afterAll(() => app.dispose());

const HOUR = 3_600_000;
const questions = (runId: string) => app.engine.run(runId).questions();
const timeline = async (runId: string) => (await app.report(runId)).timeline.map(({ text }) => text);

describe("Approve with a deadline and an escalation", () => {
  it("sleep is the deadline, pageOnCall is a step, and returning withdraws the request", async () => {
    const runId = await app.call("deploy", { service: "api" });
    await app.clock.advance(4 * HOUR);
    expect((await app.report(runId)).steps.map(({ id }) => id)).toEqual([
      "step//./agent/tools/deploy//planDeploy",
      "step//./agent/tools/deploy//pageOnCall",
    ]);
    await app.clock.advance(20 * HOUR);
    expect(await app.result(runId)).toEqual({
      status: "completed",
      output: { deployed: false, reason: "timed out" },
    });
    expect(await questions(runId)).toEqual([]);
  });

  it("One request stays on the channel the whole time", async () => {
    const runId = await app.call("deploy", { service: "api" });
    const [first] = await questions(runId);
    await app.clock.advance(5 * HOUR);
    await app.restart();
    const open = await questions(runId);
    expect(open.map(({ requestId }) => requestId)).toEqual([first?.requestId]);
    await app.engine.answer(runId, first?.requestId ?? "", { optionId: "approve" });
    expect(await app.result(runId)).toEqual({
      status: "completed",
      output: { deployed: true, url: "https://api" },
    });
  });

  it("takes the answer that comes before the deadline", async () => {
    const runId = await app.call("deploy", { service: "api" });
    const [first] = await questions(runId);
    await app.engine.answer(runId, first?.requestId ?? "", { optionId: "cancel" });
    expect(await app.result(runId)).toEqual({
      status: "completed",
      output: { deployed: false, reason: "rejected" },
    });
  });
});

describe("Semantics", () => {
  it("A thrown error in a step retries per the step's policy", async () => {
    const runId = await app.call("retried");
    await app.clock.advance(1_000); // the first retry, after one second
    await app.clock.advance(2_000); // the second, after two
    expect(await app.result(runId)).toEqual({
      status: "completed",
      output: {
        name: "StepError",
        message: expect.stringMatching(/step\/\/\.\/agent\/tools\/retried\/\/failing.*2 retries.*try 3/s),
        attempts: 3,
        stepId: "step//./agent/tools/retried//failing",
        cause: "try 3",
        tries: 3,
      },
    });
  });

  it("FatalError does not", async () => {
    expect(await app.result(await app.call("fatal"))).toEqual({
      status: "completed",
      output: { is: true, fatal: true, message: "never again", tries: 1 },
    });
  });

  it("An error that escapes the body fails the tool invocation", async () => {
    const result = await app.result(await app.call("escapes"));
    expect(result).toMatchObject({
      status: "failed",
      error: { name: "RangeError", message: "out of the body" },
    });
    expect(result.status === "failed" && result.error.stack).toMatch(/agent\/tools\/escapes\.ts:\d+/);
  });

  it("A workflow tool call resolves once, with the return value, the error, or a cancellation", async () => {
    const runId = await app.call("escapes");
    await app.result(runId);
    await app.engine.cancel(runId); // too late: it changes nothing
    expect(await app.engine.run(runId).status()).toBe("failed");
    expect((await timeline(runId)).filter((text) => text.startsWith("failed"))).toHaveLength(1);
  });

  it("The workflow id derives from the entry point's module path and function name", async () => {
    expect((await app.report(await app.call("escapes"))).workflowId).toBe(
      "workflow//./agent/tools/escapes//execute",
    );
    expect((await app.report(await app.call("deploy", { service: "a" }))).workflowId).toBe(
      "workflow//./agent/tools/deploy//task",
    );
  });

  it("Runs in flight finish on the deployment that started them", async () => {
    const runId = await app.call("moving");
    await app.rebuild({ "agent/tools/moving.ts": toolSource('await sleep("1h"); return "new build";') });
    await app.restart();
    const fresh = await app.call("moving");
    await app.clock.advance(HOUR);
    expect(await app.result(runId)).toEqual({ status: "completed", output: "old build" });
    expect(await app.result(fresh)).toEqual({ status: "completed", output: "new build" });
  });
});

describe("Ask a human: ctx.ask", () => {
  it("Several requests may be outstanding at once; a request is answered once", async () => {
    const runId = await app.call("twice");
    const [a, b] = await questions(runId);
    await app.engine.answer(runId, b?.requestId ?? "", { text: "second" });
    await expect(app.engine.answer(runId, b?.requestId ?? "", { text: "again" })).rejects.toMatchObject({
      code: "QUESTION_NOT_PENDING",
    });
    await app.engine.answer(runId, a?.requestId ?? "", { text: "first" });
    expect(await app.result(runId)).toEqual({
      status: "completed",
      output: [
        { status: "answered", text: "first" },
        { status: "answered", text: "second" },
      ],
    });
  });

  it("Ending the run, by returning, throwing, or cancellation, withdraws its pending requests", async () => {
    const runId = await app.call("returns");
    expect(await questions(runId)).toHaveLength(1);
    await app.clock.advance(1_000);
    expect(await app.result(runId)).toEqual({ status: "completed", output: 1 });
    expect(await questions(runId)).toEqual([]);
  });
});
