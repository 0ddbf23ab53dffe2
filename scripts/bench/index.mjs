#!/usr/bin/env node
// Benchmarks of eve against what it is measured by: `npm run bench -- --help`.
import { cpus, loadavg } from "node:os";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "./lib/built.mjs";
import { writeResults } from "./lib/document.mjs";
import { BENCH, ROOT } from "./lib/paths.mjs";
import { formatTable } from "./lib/rows.mjs";

const HELP = `Usage: npm run bench -- [name…] [options]

Measures eve against a named reference in the same run and prints medians with their range.
Reference and measure take turns, so other load on the machine falls on both. Nothing here passes or
fails: ✓ and ✗ say whether a figure the design sets was reached.

Benchmarks (all when none is named):
%BENCHES%

Options:
  --rounds N     samples per figure (default 5; slow references take fewer)
  --quick        one round, without the slowest references: does it run at all?
  --json         one JSON document on stdout instead of tables
  --write FILE   also put the tables into a Markdown file, between <!-- name --> and <!-- /name -->
  --no-build     measure dist/ as it is instead of building the packages first
  --help

Peers (@workflow/core, @workflow/world-local, @swc/core, @workflow/swc-plugin) are installed into
scripts/bench/peers on first use. EVE_BENCH_DIR chooses the disk that data folders are put on.`;

/** The benchmarks: every module of this folder besides this one and the shared generators. */
async function benches() {
  const names = readdirSync(BENCH)
    .filter((file) => file.endsWith(".mjs") && file !== "index.mjs" && file !== "apps.mjs")
    .map((file) => file.slice(0, -4))
    .sort();
  const loaded = await Promise.all(names.map((name) => import(`./${name}.mjs`)));
  return new Map(names.map((name, at) => [name, loaded[at]]));
}

function usageError(message) {
  console.error(`${message}\nTry: npm run bench -- --help`);
  process.exitCode = 2;
}

function readOptions() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "5" },
      quick: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      write: { type: "string" },
      "no-build": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const rounds = values.quick ? 1 : Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) {
    throw new TypeError(`--rounds takes a whole number from 1, not "${values.rounds}".`);
  }
  return { ...values, rounds, names: positionals };
}

/** How busy the machine is besides: above the number of cores, absolute figures say little, ratios still do. */
const load = () => Number(loadavg()[0].toFixed(1));

const machine = () =>
  `${cpus().length} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}`;

async function run(all, { names, rounds, quick, json, write, "no-build": asIs }) {
  const log = (text) => process.stderr.write(`${text}\n`);
  if (!asIs) await ensureBuilt(log);
  const { version } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8"));
  const results = [];
  if (!json) console.log(`eve ${version} · ${machine()}`);
  for (const name of names) {
    const { title, run: measure } = all.get(name);
    const before = load();
    log(`${name}: ${title} (load ${before})`);
    const rows = await measure({ rounds, quick, log: (text) => log(`  ${text}`) });
    results.push({ name, title, load: [before, load()], rows });
    if (!json) console.log(`\n## ${name}: ${title}\n\n${formatTable(rows)}`);
  }
  if (write) await writeResults(write, results);
  if (json) console.log(JSON.stringify({ version, machine: machine(), rounds, results }, null, 2));
}

async function main() {
  const all = await benches();
  let options;
  try {
    options = readOptions();
  } catch (error) {
    return usageError(error.message);
  }
  if (options.help) {
    const lines = [...all].map(([name, { title }]) => `  ${name.padEnd(12)} ${title}`);
    return console.log(HELP.replace("%BENCHES%", lines.join("\n")));
  }
  const unknown = options.names.filter((name) => !all.has(name));
  if (unknown.length > 0) {
    return usageError(
      `No benchmark is called ${unknown.join(", ")}. There are: ${[...all.keys()].join(", ")}.`,
    );
  }
  const names = options.names.length > 0 ? options.names : [...all.keys()];
  return run(all, { ...options, names });
}

await main();
