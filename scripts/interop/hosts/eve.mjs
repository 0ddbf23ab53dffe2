// Runs the scenarios on eve's engine: `node eve.mjs <output folder of eve build> <data folder>`.
import { openEngine } from "../engine.mjs";
import { runScenarios } from "../run-scenarios.mjs";

const [output, dataDir] = process.argv.slice(2);
const engine = await openEngine({ output, dataDir });
await runScenarios(engine);
await engine.close();
// What a hung scenario still waits for must not keep the process.
process.exit();
