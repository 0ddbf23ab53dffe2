import { expect, test } from "vitest";
import { createBody } from "./body.js";
import { compileWorkflowBundle } from "./bundle.js";
import type { BodyStart } from "./protocol.js";

const start: BodyStart = {
  runId: "run_1",
  workflowId: "w",
  args: '[[1],"api"]',
  seed: "00".repeat(16),
  startedAt: 1000,
  metadata: "{}",
};
test("sequential steps and a sleep", () => {
  const bundle = compileWorkflowBundle(`
globalThis.__private_workflows = new Map();
async function plan(...args) { return globalThis[Symbol.for("WORKFLOW_USE_STEP")]("step//a//plan")(...args); }
async function w(service) {
  const p = await plan(service);
  await globalThis[Symbol.for("WORKFLOW_SLEEP")]("1s");
  try { await plan(p); } catch (e) { return e.stack }
}
w.workflowId = "w"; globalThis.__private_workflows.set("w", w);
`);
  const body = createBody(start, bundle, { hookToken: () => "t", webhookUrl: () => "u" });
  body.pump({ type: "start", at: 1000 });
  body.pump({ type: "resolve", at: 1001, key: "step//a//plan#0", value: '["the plan"]' });
  body.pump({ type: "resolve", at: 1001, key: "sleep#0", value: "-1" });
  const d = body.pump({
    type: "reject",
    at: 1001,
    key: "step//a//plan#1",
    error:
      '[["Error",1],{"name":2,"message":3,"stack":4},"FatalError","no","FatalError: no\\n    at step (lib/a.ts:1:1)"]',
  });
  expect(d.outcome).toBeDefined();
});
