// What becomes of waiting runs when their app is built again.
import { afterEach, expect, it } from "vitest";
import { appWith, toolSource } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

let app: CompiledApp & { dispose(): Promise<void> };
afterEach(() => app.dispose());

const body = (step: string, end = "") =>
  `const made = await ${step}(input.name); const answer = await ctx.ask({ prompt: "Go?" }); return [made, answer.text${end}];`;
const step = (name: string) => `
async function ${name}(what: string) {
  "use step";
  ((globalThis as any).__planned ??= []).push(what);
  return "plan for " + what;
}`;
const planned = () => (globalThis as { __planned?: string[] }).__planned ?? [];

async function waiting(name: string): Promise<string> {
  return await app.call("deploy", { name });
}

async function answer(runId: string): Promise<void> {
  const [question] = await app.engine.run(runId).questions();
  await app.engine.answer(runId, question?.requestId ?? "", { text: "yes" });
}

it("A run goes on under the new ids of a renamed workflow and step, when eve.ids.json has their aliases", async () => {
  app = await compiledApp(appWith({ deploy: toolSource(body("plan"), step("plan")) }));
  const runId = await waiting("api");
  await app.rebuild({
    "agent/tools/deploy.ts": undefined,
    "agent/tools/ship.ts": toolSource(body("makePlan"), step("makePlan")),
    "eve.ids.json": JSON.stringify({
      version: 1,
      workflows: ["workflow//./agent/tools/ship//execute"],
      steps: ["step//./agent/tools/ship//makePlan"],
      aliases: {
        "workflow//./agent/tools/deploy//execute": "workflow//./agent/tools/ship//execute",
        "step//./agent/tools/deploy//plan": "step//./agent/tools/ship//makePlan",
      },
    }),
  });
  await app.restartOn({ keepBuilds: false });
  await answer(runId);
  expect(await app.result(runId)).toEqual({ status: "completed", output: ["plan for api", "yes"] });
  expect(planned().filter((what) => what === "api")).toEqual(["api"]);
});

it("a run that resumes on a deployment without its tool fails with an error naming the missing workflow", async () => {
  app = await compiledApp(appWith({ deploy: toolSource(body("plan"), step("plan")) }));
  const runId = await waiting("web");
  await app.rebuild({ "agent/tools/deploy.ts": undefined, "agent/tools/other.ts": toolSource("return 1;") });
  await app.restartOn({ keepBuilds: false });
  await expect(app.engine.resume(runId)).rejects.toMatchObject({ code: "WORKFLOW_MISSING" });
  expect(await app.result(runId)).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("workflow//./agent/tools/deploy//execute") },
  });
});
