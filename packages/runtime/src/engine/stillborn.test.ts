import { expect, test } from "vitest";
import { StoreFullError } from "../errors/store.js";
import { useScenario } from "../testing/scenario.js";

const scenario = useScenario();

test("a body that keeps itself busy without waiting for anything is refused at its start, and nothing is left of it", async () => {
  await scenario.open({
    w: `async () => { for (;;) { const hook = createHook(); await hook.getConflict(); hook.dispose(); } }`,
  });
  await expect(scenario.harness.engine.startRun({ workflowId: "w" })).rejects.toThrow(/keeps itself busy/);
  expect(await scenario.harness.store.runs()).toEqual([]);
  expect(scenario.harness.engine.hotRuns).toBe(0);
});

test("one that does so later ends as failed and says why", async () => {
  await scenario.open({
    w: `async () => { await sleep(1000); for (;;) { const hook = createHook(); await hook.getConflict(); hook.dispose(); } }`,
  });
  const runId = await scenario.run();
  await scenario.harness.clock.advance(1_000);
  expect(await scenario.result(runId)).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining("keeps itself busy") },
  });
});

test("arguments that can't be carried are refused before anything is stored", async () => {
  await scenario.open({ w: `async () => 1` });
  await expect(scenario.harness.engine.startRun({ workflowId: "w", args: [() => 1] })).rejects.toThrow(
    "args[0] is a function",
  );
  await expect(scenario.harness.engine.startRun({ workflowId: "none" })).rejects.toMatchObject({
    code: "WORKFLOW_MISSING",
  });
  expect(await scenario.harness.store.runs()).toEqual([]);
});

test("a full disk refuses the start, keeps what was there, and later starts work again", async () => {
  let full = false;
  await scenario.open({ w: `async () => "ok"` });
  const { store } = scenario.harness;
  const commit = store.commit.bind(store);
  store.commit = async (writes) => {
    if (full) throw new StoreFullError("eve.db");
    await commit(writes);
  };
  full = true;
  await expect(scenario.harness.engine.startRun({ workflowId: "w" })).rejects.toMatchObject({
    code: "STORE_FULL",
  });
  expect(await store.runs()).toEqual([]);
  full = false;
  const runId = await scenario.run();
  expect(await scenario.result(runId)).toEqual({ status: "completed", output: "ok" });
});
