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
