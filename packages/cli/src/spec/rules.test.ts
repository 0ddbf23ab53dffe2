// Each test is named after the sentence of the specification that it proves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appWith, toolSource } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

const CONTEXT_STEP = `
async function inspect(ctx: any) {
  "use step";
  const misuse = (call: () => unknown) => {
    try {
      call();
      return "no error";
    } catch (error: any) {
      return error.message;
    }
  };
  return {
    keys: ["session", "callId", "toolName", "abortSignal", "getToken", "requireAuth", "ask", "agent"].filter((key) => ctx[key] !== undefined),
    session: ctx.session.id,
    callId: ctx.callId,
    toolName: ctx.toolName,
    aborted: ctx.abortSignal.aborted,
    ask: misuse(() => ctx.ask({ prompt: "?" })),
    agent: misuse(() => ctx.agent("x")),
  };
}
`;
const tools = {
  inline: toolSource("return input.n + 1;"),
  sameModule: `import { defineWorkflowTool } from "eve/tools";
export default defineWorkflowTool({ description: "d", inputSchema: { type: "object" }, execute: body });
async function body({ n }: any) { "use workflow"; return n + 2; }`,
  imported: `import { defineWorkflowTool } from "eve/tools";
import { body } from "../lib/body";
export default defineWorkflowTool({ description: "d", inputSchema: { type: "object" }, task: body });`,
  clock: toolSource(
    "const before = [Date.now(), Math.random()]; await createHook({ token: 'clock' }); return { before };",
  ),
  context: toolSource(
    `const wrong = (call: () => unknown) => { try { call(); return "no error"; } catch (error: any) { return error.message; } };
    return { keys: ["session", "callId", "toolName", "abortSignal", "agent", "agents", "ask"].filter((key) => ctx[key] !== undefined), getToken: wrong(() => ctx.getToken({})), requireAuth: wrong(() => ctx.requireAuth({})) };`,
  ),
  stepContext: toolSource("return await inspect(ctx);", CONTEXT_STEP),
  locals: toolSource(
    'const kept = { n: 1, at: new Date(5), set: new Set([1]) }; await createHook({ token: "locals" }); return [kept.n, kept.at.getTime(), kept.set.has(1)];',
  ),
  api: `import { defineWorkflowTool } from "eve/tools";
import { getRun, resumeHook, start } from "workflow/api";
import { child } from "../lib/child";
export default defineWorkflowTool({ description: "d", inputSchema: { type: "object" }, async execute() { "use workflow"; return await begin(); } });
async function begin() {
  "use step";
  const run = await start(child, ["x"]);
  await resumeHook("child-x", 4).catch(async () => { await new Promise((r) => setTimeout(r, 30)); return resumeHook("child-x", 4); });
  return [await run.returnValue, await getRun(run.runId).status];
}`,
};
const lib = {
  "agent/lib/body.ts": `export async function body({ n }: any) { "use workflow"; return n + 3; }`,
  "agent/lib/child.ts": `import { createHook } from "workflow";
export async function child(name: string) { "use workflow"; return name + (await createHook({ token: "child-" + name })); }`,
};

let app: CompiledApp & { dispose(): Promise<void> };
beforeAll(async () => {
  app = await compiledApp(appWith(tools, lib));
});
afterAll(() => app.dispose());

describe("Rules", () => {
  it.each([
    ["inline", 2],
    ["sameModule", 3],
    ["imported", 4],
  ])(
    "written inline or referenced as a top-level async function in the same module or an imported application module: %s",
    async (tool, output) => {
      expect(await app.result(await app.call(tool, { n: 1 }))).toEqual({ status: "completed", output });
    },
  );

  it("the body is replayed and must stay deterministic", async () => {
    const runId = await app.call("clock");
    const first = (await app.report(runId)).startedAt;
    await app.clock.advance(60_000);
    await app.restart();
    await app.engine.resumeHook("clock", null);
    const result = await app.result(runId);
    expect(result).toMatchObject({ output: { before: [Date.parse(first), expect.any(Number)] } });
  });

  it("Values needed after a durable wait stay in local variables in the workflow body", async () => {
    const runId = await app.call("locals");
    await app.restart();
    await app.engine.resumeHook("locals", null);
    expect(await app.result(runId)).toEqual({ status: "completed", output: [1, 5, true] });
  });

  it("In an execute or task body, ctx is a WorkflowToolContext with session, callId, toolName, abortSignal, agent, agents, and ask", async () => {
    const { output } = (await app.result(await app.call("context"))) as { output: Record<string, unknown> };
    expect(output["keys"]).toEqual([
      "session",
      "callId",
      "toolName",
      "abortSignal",
      "agent",
      "agents",
      "ask",
    ]);
    expect(output["getToken"]).toMatch(/getToken.*step/s);
    expect(output["requireAuth"]).toMatch(/requireAuth.*step/s);
  });

  it('A "use step" helper that receives ctx directly gets a restricted WorkflowStepToolContext', async () => {
    const { output } = (await app.result(await app.call("stepContext"))) as {
      output: Record<string, unknown>;
    };
    expect(output).toMatchObject({
      session: "session",
      callId: expect.stringMatching(/^call-/),
      toolName: "stepContext",
      aborted: false,
    });
    expect(output["keys"]).toEqual(
      expect.arrayContaining(["session", "callId", "toolName", "abortSignal", "getToken", "requireAuth"]),
    );
    expect(output["ask"]).toMatch(/ask.*body/s);
    expect(output["agent"]).toMatch(/agent.*body/s);
  });

  it("start, getRun, and resumeHook from workflow/api belong in steps", async () => {
    expect(await app.result(await app.call("api"))).toEqual({
      status: "completed",
      output: ["x4", "completed"],
    });
  });
});
