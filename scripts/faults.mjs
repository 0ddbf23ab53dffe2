#!/usr/bin/env node
// Runs the engine's fault harness over many seeds:
// `node scripts/faults.mjs [seeds] [first seed] [kills]`. Ends with a summary; a failing seed is printed before it, run
// it alone with `node scripts/faults.mjs 1 <seed>`.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [seeds = "2000", first = "1", kills = "40"] = process.argv.slice(2);
for (const text of [seeds, first, kills]) {
  if (/^\d+$/.test(text) && Number(text) > 0) continue;
  console.error("Usage: node scripts/faults.mjs [seeds] [first seed] [kills]");
  process.exit(2);
}

const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
const files = ["packages/runtime/src/engine/faults.test.ts", "packages/runtime/src/engine/kill.test.ts"];
const summaries = mkdtempSync(path.join(os.tmpdir(), "eve-fault-summary-"));
const child = spawn(process.execPath, [vitest, "run", ...files], {
  cwd: root,
  stdio: "inherit",
  env: {
    ...process.env,
    EVE_FAULT_SEEDS: seeds,
    EVE_FAULT_FIRST: first,
    EVE_FAULT_SUMMARY: summaries,
    EVE_KILLS: kills,
    EVE_KILL_SEED: first,
  },
});
child.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on("exit", (code) => {
  process.exitCode = code ?? 1;
  try {
    console.log(summary(code === 0));
  } finally {
    rmSync(summaries, { recursive: true, force: true });
  }
});

/** Figures a test left behind. That of killed processes leaves them only once every check of it held. */
function figuresOf(name) {
  const file = path.join(summaries, `${name}.json`);
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}

function summary(passed) {
  const number = (value) => value.toLocaleString("en");
  const [simulated, killed] = [figuresOf("simulated"), figuresOf("killed")];
  const lines = [`Fault injection, seeds from ${first}`];
  if (simulated) {
    const { failed, crashes, refused, repeated, jumps, stops, steps, acknowledged } = simulated;
    lines.push(
      `  ${number(simulated.seeds)} programs: ${number(crashes)} deaths at a commit, ${number(refused)} refused commits, ` +
        `${number(repeated)} repeated deliveries, ${number(jumps)} clock jumps, ${number(stops)} graceful stops`,
      `  ${number(steps)} steps completed, ${number(acknowledged)} payloads and answers acknowledged`,
      `  programs that lost or repeated something, or ended otherwise than without faults: ${failed}`,
    );
  }
  if (killed)
    lines.push(
      `  ${number(killed.kills)} × kill -9 of a process with ${killed.runs} runs, ` +
        `${number(killed.acknowledged)} acknowledgements: 0 lost, 0 completed steps run again`,
    );
  lines.push(passed ? "  losses: 0" : "  failed: the reasons are above");
  return lines.join("\n");
}
