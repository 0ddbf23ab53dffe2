import { afterEach, expect, test } from "vitest";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness, type Harness } from "../testing/harness.js";

let harness: Harness | undefined;

afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

test("sequential steps run in order, each with one commit, and give the result", async () => {
  const commits: number[] = [];
  const build = testBuild({
    workflows: {
      w: `async (name) => {
        const a = await step("greet")(name);
        const b = await step("greet")(a);
        return b + "!";
      }`,
    },
    steps: { greet: (name) => `hello ${String(name)}` },
  });
  harness = await openHarness(testBuilds(build), {
    faults: ({ at, commit }) => {
      if (at === "after-commit") commits.push(commit);
    },
  });
  const runId = await harness.engine.startRun({ workflowId: "w", args: ["you"] });
  const result = await harness.engine.run(runId).result();
  expect(result).toEqual({ status: "completed", output: "hello hello you!" });
  expect(commits).toEqual([1, 2, 3]);
  const log = await harness.store.log(runId);
  expect(log.map((entry) => entry.event.type)).toEqual([
    "run-started",
    "step-created",
    "step-started",
    "step-completed",
    "step-created",
    "step-started",
    "step-completed",
    "run-ended",
  ]);
  expect(harness.problems).toEqual([]);
});

test("runs of the same tick share a commit", async () => {
  let commits = 0;
  const build = testBuild({
    workflows: { w: `async (n) => { for (let i = 0; i < 5; i++) n = await step("inc")(n); return n; }` },
    steps: { inc: (n) => Number(n) + 1 },
  });
  harness = await openHarness(testBuilds(build), {
    faults: ({ at }) => {
      if (at === "after-commit") commits += 1;
    },
  });
  const { engine } = harness;
  const runs = await Promise.all(
    Array.from({ length: 50 }, (_, n) => engine.startRun({ workflowId: "w", args: [n] })),
  );
  const results = await Promise.all(runs.map((runId) => engine.run(runId).result()));
  expect(results).toEqual(runs.map((_, n) => ({ status: "completed", output: n + 5 })));
  // Alone they would be 300.
  expect(commits).toBeLessThan(30);
});

test("a run that is alone goes on at once, but lets timers and requests in between", async () => {
  const build = testBuild({
    workflows: { w: `async () => { for (let i = 0; i < 1000; i++) await step("a")(); }` },
    steps: { a: () => 1 },
  });
  harness = await openHarness(testBuilds(build));
  let [turns, ended] = [0, false];
  const count = () => {
    turns += 1;
    if (!ended) setImmediate(count);
  };
  const runId = await harness.engine.startRun({ workflowId: "w" });
  setImmediate(count);
  await harness.engine.run(runId).result();
  ended = true;
  // Without turns in between it would be 1 or 2, and with one after each step 1,000.
  expect(turns).toBeGreaterThan(2);
});

test("a store that commits later is waited for, and a refusal of it leaves nothing behind", async () => {
  const build = testBuild({
    workflows: { w: `async (n) => { for (let i = 0; i < 5; i++) n = await step("inc")(n); return n; }` },
    steps: { inc: (n) => Number(n) + 1 },
  });
  harness = await openHarness(testBuilds(build));
  const { store, clock } = harness;
  const commit = store.commit.bind(store);
  let commits = 0;
  store.commit = async (writes) => {
    await new Promise((resolve) => setImmediate(resolve));
    commits += 1;
    if (commits === 3) throw new Error("refused once");
    await commit(writes);
  };
  const runId = await harness.engine.startRun({ workflowId: "w", args: [1] });
  await clock.settle();
  await clock.advance(2_000);
  expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: 6 });
  expect(commits).toBe(7);
  expect(harness.problems).toMatchObject([{ error: { message: "refused once" } }]);
});

test("a start that comes while the engine closes is refused, never left open", async () => {
  const build = testBuild({ workflows: { w: `async () => 1` } });
  harness = await openHarness(testBuilds(build));
  const { engine } = harness;
  const starting = engine.startRun({ workflowId: "w" });
  const outcome = starting.then(
    () => "started",
    (error: unknown) => (error as { code?: string }).code,
  );
  await engine.close();
  expect(["started", "ENGINE_CLOSED"]).toContain(await outcome);
  await expect(engine.startRun({ workflowId: "w" })).rejects.toMatchObject({ code: "ENGINE_CLOSED" });
});

test("a printer that fails stops nothing", async () => {
  const build = testBuild({
    workflows: { w: `async () => { console.log("x"); return await step("a")(); }` },
    steps: { a: () => 1 },
  });
  harness = await openHarness(testBuilds(build), {
    onConsole: () => {
      throw new Error("closed pipe");
    },
  });
  const runId = await harness.engine.startRun({ workflowId: "w" });
  expect(await harness.engine.run(runId).result()).toEqual({ status: "completed", output: 1 });
  expect(harness.problems).toMatchObject([{ runId, error: { message: "closed pipe" } }]);
});

test("a body that makes a webhook where none are served fails, and so does its start", async () => {
  const build = testBuild({ workflows: { w: `async () => { createHook({ isWebhook: true }); }` } });
  harness = await openHarness(testBuilds(build));
  await expect(harness.engine.startRun({ workflowId: "w" })).rejects.toThrow(/Webhooks aren't served here/);
});
