// Runs the scenarios on @workflow/core: `node core.mjs <output folder of eve build> <data folder>`.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { runScenarios } from "../run-scenarios.mjs";
import { openWorld } from "../world.mjs";

const [output, dataDir] = process.argv.slice(2);
const world = await openWorld({
  modules: path.dirname(path.dirname(fileURLToPath(import.meta.url))),
  dataDir,
  workflowCode: await readFile(path.join(output, "workflow.cjs"), "utf8"),
  importSteps: () => import(pathToFileURL(path.join(output, "server.mjs")).href),
});
await runScenarios({
  ...world,
  resume: (token, payload) => world.runtime.resumeHook(token, payload),
  webhook: (token, request) => world.runtime.resumeWebhook(token, request),
});
await world.close();
// What a hung scenario still waits for must not keep the process.
process.exit();
