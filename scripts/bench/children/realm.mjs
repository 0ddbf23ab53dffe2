// One replay context at a time, without store or steps, as a process that answers calls; start it with --expose-gc.
import vm from "node:vm";
import { pathToFileURL } from "node:url";
import { serve } from "../lib/child.mjs";
import { REPLAY } from "../lib/paths.mjs";
import { median } from "../lib/stats.mjs";

const CODE = `
globalThis.__private_workflows = new Map();
async function step(...args) { return globalThis[Symbol.for("WORKFLOW_USE_STEP")]("step//./bench//step")(...args); }
async function sequential(n) { let sum = 0; for (let i = 0; i < n; i += 1) sum += await step(i); return sum; }
async function parallel(n) { return (await Promise.all(Array.from({ length: n }, (_, i) => step(i)))).length; }
async function objects(n) { let last; for (let i = 0; i < n; i += 1) last = await step({ id: i, tags: ["a", "b"], at: new Date(i) }); return last; }
for (const run of [sequential, parallel, objects]) globalThis.__private_workflows.set(run.name, run);
`;
const HOST = { hookToken: () => "token", webhookUrl: () => "http://127.0.0.1/" };
/** What every step resolves with, as devalue text. */
const VALUES = { sequential: "[1]", parallel: "[1]", objects: '[{"id":1,"ok":2},7,true]' };

const timed = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

serve(async () => {
  const { createBody, compileWorkflowBundle } = await import(pathToFileURL(REPLAY).href);
  const bundle = compileWorkflowBundle(CODE);

  function body(workflowId, n) {
    const start = {
      runId: "run",
      workflowId,
      args: `[[1],${n}]`,
      seed: "5a".repeat(16),
      startedAt: 1e12,
      metadata: "{}",
    };
    return createBody(start, bundle, HOST);
  }

  function parked() {
    const run = body("sequential", 1);
    run.pump({ type: "start", at: 1e12 });
    return run;
  }

  const bare = () => vm.createContext(vm.constants.DONT_CONTEXTIFY, { microtaskMode: "afterEvaluate" });
  const subjects = { bare, body: () => body("sequential", 1), parked };
  const many = (count, work) => median(Array.from({ length: count }, () => timed(work)));

  return {
    createMs: (subject) => many(100, subjects[subject]),

    /** Heap that one more subject takes, in KB. */
    heapKb(subject) {
      const kept = Array.from({ length: 20 }, subjects[subject]);
      globalThis.gc();
      const before = process.memoryUsage().heapUsed;
      for (let n = 0; n < 300; n += 1) kept.push(subjects[subject]());
      globalThis.gc();
      return (process.memoryUsage().heapUsed - before) / 300 / 1024;
    },

    /** Microseconds per operation of one body, each answered as soon as it is asked for. */
    perOperation(workflowId, n, replaying) {
      const run = body(workflowId, n);
      const value = VALUES[workflowId];
      let outcome;
      const ms = timed(() => {
        const queue = run.pump({ type: "start", at: 1e12, replaying }).operations;
        for (let i = 0; i < queue.length; i += 1) {
          const result = run.pump({ type: "resolve", at: 1e12 + i, key: queue[i].key, value, replaying });
          queue.push(...result.operations);
          ({ outcome } = result);
        }
      });
      run.dispose();
      if (outcome?.status !== "completed")
        throw new Error(`${workflowId} did not complete: ${JSON.stringify(outcome)}`);
      return (ms * 1000) / n;
    },
  };
});
