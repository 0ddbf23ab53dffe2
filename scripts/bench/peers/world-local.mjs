// The benchmarks' application on @workflow/core with @workflow/world-local, as a process that answers calls:
// `node world-local.mjs <output folder of eve build> <data folder>`. Same calls as ../children/engine.mjs.
import path from "node:path";
import { pathToFileURL } from "node:url";
import { openWorld } from "../../interop/world.mjs";
import { workflowCode } from "../lib/app.mjs";
import { serve } from "../lib/child.mjs";
import { PEERS } from "../lib/paths.mjs";

const [output, dataDir] = process.argv.slice(2);

serve(async () => {
  const world = await openWorld({
    modules: PEERS,
    dataDir,
    workflowCode: await workflowCode(output),
    importSteps: () => import(pathToFileURL(path.join(output, "server.mjs")).href),
  });
  /** The output of a run, and when it ended. */
  async function completed(runId) {
    const end = await world.ended(runId);
    const { status, output: value, error } = await world.outcome(runId);
    if (status !== "completed") throw new Error(`run ${status}: ${error?.message}`);
    return { value, end };
  }
  return {
    async run(workflowId, args) {
      const begin = performance.now();
      const { end } = await completed(await world.start(workflowId, args));
      return end - begin;
    },
    async startLatency(workflowId) {
      const begin = performance.now();
      const { value } = await completed(await world.start(workflowId, []));
      return value - begin;
    },
    async park(workflowId, args, token) {
      const runId = await world.start(workflowId, args);
      await world.hookOpened(token);
      return runId;
    },
    async resume(runId, token, payload) {
      const begin = performance.now();
      await world.runtime.resumeHook(token, payload);
      return (await completed(runId)).end - begin;
    },
    close: () => world.close(),
  };
});
