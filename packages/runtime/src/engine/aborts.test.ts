import { afterEach, expect, test } from "vitest";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness, type Harness } from "../testing/harness.js";

let harness: Harness;
afterEach(() => harness.close());

const BODY = `async () => {
  const controller = new AbortController();
  const waiting = step("wait")(controller.signal);
  await step("go")();
  controller.abort();
  try { await waiting; } catch (error) { return error.name + ": " + error.message; }
}`;

async function run(onAbort: (reject: (reason: unknown) => void, signal: AbortSignal) => void) {
  let attempts = 0;
  const wait = (signal: unknown) => {
    attempts += 1;
    return new Promise((_resolve, reject) => {
      const stop = () => onAbort(reject, signal as AbortSignal);
      if ((signal as AbortSignal).aborted) stop();
      else (signal as AbortSignal).addEventListener("abort", stop);
    });
  };
  harness = await openHarness(
    testBuilds(testBuild({ workflows: { w: BODY }, steps: { wait, go: () => 1 } })),
  );
  const runId = await harness.engine.startRun({ workflowId: "w" });
  await harness.clock.advance(60_000);
  return { result: await harness.engine.run(runId).result(), attempts };
}

test("a step that stops because a signal it received aborted isn't tried again; the body gets its error", async () => {
  const { result, attempts } = await run((reject, signal) => reject(signal.reason));
  expect(result).toMatchObject({ status: "completed", output: expect.stringMatching(/^AbortError: /) });
  expect(attempts).toBe(1);
});

test("an error of another kind follows the step's policy, also after the abort", async () => {
  const { result, attempts } = await run((reject) => reject(new Error("socket closed")));
  expect(result).toMatchObject({ output: expect.stringMatching(/^StepError: .*socket closed/) });
  expect(attempts).toBe(4);
});
