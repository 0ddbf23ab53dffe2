#!/usr/bin/env node
// Runs the engine's fault harness over many seeds: `node scripts/faults.mjs [seeds] [first seed]`.
// A failing seed is printed; run it alone with `node scripts/faults.mjs 1 <seed>`.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [seeds = "2000", first = "1"] = process.argv.slice(2);
for (const text of [seeds, first]) {
  if (/^\d+$/.test(text) && Number(text) > 0) continue;
  console.error("Usage: node scripts/faults.mjs [seeds] [first seed]");
  process.exit(2);
}

const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const files = ["packages/runtime/src/engine/faults.test.ts", "packages/runtime/src/engine/kill.test.ts"];
const child = spawn(process.execPath, [vitest, "run", ...files], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    EVE_FAULT_SEEDS: seeds,
    EVE_FAULT_FIRST: first,
    EVE_KILLS: "40",
    EVE_KILL_SEED: first,
  },
});
child.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on("exit", (code) => (process.exitCode = code ?? 1));
