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
  const completed = ({ status, output: value, error, ms }) => {
    if (status !== "completed") throw new Error(`run ${status}: ${error?.message}`);
    return { value, ms };
  };
  return {
    run: async (workflowId, args) => completed(await world.run(workflowId, args)).ms,
    async startLatency(workflowId) {
      const begin = performance.now();
      return completed(await world.run(workflowId, [])).value - begin;
    },
    async park(workflowId, args, token) {
      const run = await world.start(workflowId, args);
      await world.hookOpened(token);
      return run.runId;
    },
    async resume(runId, token, payload) {
      const begin = performance.now();
      await world.runtime.resumeHook(token, payload);
      return (await world.ended(runId)) - begin;
    },
    close: () => world.close(),
  };
});
