// The benchmarks' application on eve's engine and the SQLite store, as a process that answers calls:
// `node engine.mjs <output folder of eve build> <data folder>`. Same calls as ../peers/world-local.mjs.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { openEngine } from "../../interop/engine.mjs";
import { serve } from "../lib/child.mjs";
import { openRawCommits } from "../lib/raw-commits.mjs";

const [output, dataDir] = process.argv.slice(2);

serve(async () => {
  const begin = performance.now();
  const { engine, close } = await openEngine({ output, dataDir });
  const booted = performance.now() - begin;
  let raw;

  async function completed(runId) {
    const { status, output: value, error } = await engine.run(runId).result();
    if (status !== "completed") throw new Error(`run ${status}: ${error?.message}`);
    return value;
  }

  return {
    async run(workflowId, args) {
      const start = performance.now();
      await completed(await engine.startRun({ workflowId, args }));
      return performance.now() - start;
    },
    async startLatency(workflowId) {
      const start = performance.now();
      return (await completed(await engine.startRun({ workflowId, args: [] }))) - start;
    },
    async park(workflowId, args) {
      const runId = await engine.startRun({ workflowId, args });
      const status = await engine.run(runId).idle();
      if (status !== "waiting") throw new Error(`the run is ${status}, not waiting`);
      return runId;
    },
    /** Parks runs without steps, 100 at a time; gives the ms it took. */
    async parkMany(workflowId, count) {
      const start = performance.now();
      for (let first = 0; first < count; first += 100) {
        const batch = Array.from({ length: Math.min(100, count - first) }, (_, n) =>
          this.park(workflowId, [0, `parked-${first + n}`]),
        );
        await Promise.all(batch);
      }
      return performance.now() - start;
    },
    async resume(runId, token, payload) {
      const start = performance.now();
      await engine.resumeHook(token, payload);
      await completed(runId);
      return performance.now() - start;
    },
    /** Opening the store, making the engine and recovering, in ms. */
    bootMs: () => booted,
    /** CPU time of this process so far, the system's share included. */
    cpuMs() {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1000;
    },
    /** Raw commits on the same disk, beside the store. */
    async rawCommits(count) {
      if (!raw) {
        await mkdir(path.join(dataDir, "raw"));
        raw = openRawCommits(path.join(dataDir, "raw"));
      }
      return raw.run(count);
    },
    async close() {
      raw?.close();
      await close();
    },
  };
});
