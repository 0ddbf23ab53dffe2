import { describe, expect, test } from "vitest";
import type { RunStatus } from "../log/types.js";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness } from "../testing/harness.js";

const asking = `async (input, ctx) => {
  const hook = createHook({ token: "t" });
  return [(await ctx.ask({ prompt: "Go on?" })).text, await hook];
}`;
const shop = { shop: { workflowId: "buy" } };
const old = testBuild({ id: "old", workflows: { buy: asking }, tools: shop });

/** Builds that no longer have what the run recorded, and the error that says so. */
const PRESENT = {
  missing: {
    build: testBuild({ id: "new", workflows: { other: asking } }),
    code: "WORKFLOW_MISSING",
    says: /workflow buy is missing: build old.*is gone/,
  },
  diverged: {
    build: testBuild({ id: "new", workflows: { buy: `async () => { await sleep(1); }` }, tools: shop }),
    code: "REPLAY_DIVERGENCE",
    says: /can't be continued/,
  },
};

/** A run that waits, in a store whose app was built anew since. */
async function stranded(present: keyof typeof PRESENT) {
  const builds = testBuilds(old);
  const harness = await openHarness(builds);
  const runId = await harness.engine.startRun({ tool: "shop", input: {} });
  await harness.clock.settle();
  builds.set(PRESENT[present].build);
  await harness.reopen();
  return { harness, runId, status: (): Promise<RunStatus> => harness.engine.run(runId).status() };
}

describe.each(["missing", "diverged"] as const)(
  "a run that waits and whose workflow is %s now",
  (present) => {
    const { code, says } = PRESENT[present];

    test.each([
      ["resumed", (engine, runId) => engine.resume(runId)],
      ["answered", (engine, runId) => engine.answer(runId, `${runId}-ask-0`, { text: "yes" })],
      ["given a payload", (engine) => engine.resumeHook("t", 1)],
    ] as [
      string,
      (engine: Awaited<ReturnType<typeof stranded>>["harness"]["engine"], runId: string) => Promise<unknown>,
    ][])("fails by that name when it is %s", async (_how, touch) => {
      const { harness, runId } = await stranded(present);
      await expect(touch(harness.engine, runId)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(says),
      });
      expect(await harness.engine.run(runId).result()).toMatchObject({
        status: "failed",
        error: { message: expect.stringMatching(says) },
      });
      expect(await harness.engine.questions()).toEqual([]);
      expect(harness.problems).toEqual([]);
      await expect(harness.engine.resume(runId)).rejects.toMatchObject({ code: "RUN_ENDED" });
      await harness.close();
    });

    test("can be cancelled all the same", async () => {
      const { harness, runId, status } = await stranded(present);
      await harness.engine.cancel(runId);
      expect(await status()).toBe("cancelled");
      await harness.close();
    });

    test("ends only once that can be recorded", async () => {
      const { harness, runId, status } = await stranded(present);
      const { commit } = harness.store;
      harness.store.commit = () => Promise.reject(new Error("no space"));
      await expect(harness.engine.resume(runId)).rejects.toThrow("no space");
      expect(await status()).toBe("waiting");
      harness.store.commit = commit;
      await harness.clock.advance(2_000);
      await expect(harness.engine.resume(runId)).rejects.toMatchObject({ code });
      expect(await status()).toBe("failed");
      await harness.close();
    });
  },
);

test("what was at work when its process ended is reported by name", async () => {
  const build = testBuild({
    id: "old",
    workflows: { w: `async () => await step("work")()` },
    steps: { work: () => new Promise(() => undefined) },
  });
  const builds = testBuilds(build);
  const harness = await openHarness(builds);
  const runId = await harness.engine.startRun({ workflowId: "w" });
  await harness.clock.settle();
  builds.set(PRESENT.missing.build);
  await harness.reopen();
  expect(await harness.engine.recover()).toBe(0);
  expect(harness.problems).toMatchObject([{ runId, error: { code: "WORKFLOW_MISSING" } }]);
  expect(await harness.engine.run(runId).status()).toBe("failed");
  await harness.close();
});

test("a run that fits is taken up, and stays as evictable as any", async () => {
  const harness = await openHarness(testBuilds(old), { limits: { hotRuns: 0 } });
  const runId = await harness.engine.startRun({ tool: "shop", input: {} });
  await harness.clock.settle();
  await harness.engine.resume(runId);
  expect(harness.engine.hotRuns).toBe(0);
  expect(await harness.engine.run(runId).status()).toBe("waiting");
  await harness.close();
});
