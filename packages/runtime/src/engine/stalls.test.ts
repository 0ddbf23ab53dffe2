import { appendFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness, type Harness } from "../testing/harness.js";

let harness: Harness;
afterEach(() => harness.close());

const HANGS = `async () => { await createHook({ token: "t" }); for (let end = Date.now; globalThis.hang;) end(); return "free"; }`;

test("a run whose body hung two processes is set aside, named, and can be taken up or cancelled", async () => {
  const build = testBuild({ workflows: { w: HANGS } });
  harness = await openHarness(testBuilds(build));
  const file = path.join(harness.dir, "stalls.jsonl");
  const runId = await harness.engine.startRun({ workflowId: "w" });
  const other = await harness.engine.startRun({ workflowId: "w" });
  await harness.clock.settle();
  const hung = (id: string) =>
    appendFileSync(file, `${JSON.stringify({ runId: id, workflowId: "w", pid: 1 })}\n`);

  hung(runId);
  await harness.restart({ watchdog: { file } });
  expect(await harness.engine.run(runId).status()).toBe("waiting");

  hung(runId);
  appendFileSync(file, '{"runId":"cut of');
  await harness.restart({ watchdog: { file } });
  expect(await harness.engine.run(runId).status()).toBe("stalled");
  expect(await harness.engine.run(other).status()).not.toBe("stalled");
  await expect(harness.engine.resumeHook("t", 1)).rejects.toMatchObject({ code: "RUN_STALLED" });

  await harness.engine.retryStalled(runId);
  await harness.engine.resumeHook("t", 1);
  expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: "free" });
});

test("a run that was set aside can be cancelled without its body running", async () => {
  const build = testBuild({ workflows: { w: HANGS } });
  harness = await openHarness(testBuilds(build));
  const file = path.join(harness.dir, "stalls.jsonl");
  const runId = await harness.engine.startRun({ workflowId: "w" });
  await harness.clock.settle();
  for (const pid of [1, 2]) appendFileSync(file, `${JSON.stringify({ runId, workflowId: "w", pid })}\n`);
  await harness.restart({ watchdog: { file } });
  expect(await harness.engine.cancelAndWait(runId)).toEqual({ status: "cancelled" });
  await harness.restart({ watchdog: { file } });
  expect(await harness.engine.run(runId).status()).toBe("cancelled");
});

test("a rejected promise that nobody handled is a warning with its place, and ends nothing", async () => {
  const lines: string[] = [];
  const build = testBuild({
    workflows: { w: `async () => { Promise.reject(new Error("forgotten")); await step("a")(); return 1; }` },
    steps: { a: () => 1 },
  });
  harness = await openHarness(testBuilds(build), {
    onConsole: ({ level, text }) => lines.push(`${level}: ${text}`),
  });
  const runId = await harness.engine.startRun({ workflowId: "w" });
  expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: 1 });
  await harness.clock.settle();
  expect(lines).toEqual([
    expect.stringMatching(/^warn: A rejected promise was never handled: Error: forgotten/),
  ]);
});
