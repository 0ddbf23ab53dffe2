#!/usr/bin/env node
// Proves that compiled output is portable: the application in fixtures/interop, compiled once, runs on eve's engine
// and on @workflow/core with @workflow/world-local, and every scenario ends alike.
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual, parseArgs, promisify } from "node:util";
import { installed } from "../bench/lib/peers.mjs";
import { pluginBuild } from "./plugin-build.mjs";
import { scenarios } from "./scenarios.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.resolve(here, "..", "..");

const HELP = `Usage: node scripts/interop/run.mjs [--json] [--keep]

Compiles fixtures/interop with \`eve build\` and with the esbuild plugin, and runs its scenarios on eve's
engine and on @workflow/core with @workflow/world-local. Exits with 1 when a scenario ends differently than expected on either.
The foreign runtime is installed into scripts/interop/node_modules on first use.

  --json   the outcomes as one JSON document
  --keep   leave the compiled application and the data folders, and say where`;

const node = promisify(execFile);
const log = (text) => process.stderr.write(`${text}\n`);

async function runNode(what, args, cwd) {
  try {
    const { stdout } = await node(process.execPath, args, {
      cwd,
      maxBuffer: 64e6,
      env: { ...process.env, NO_COLOR: "1" },
    });
    return stdout;
  } catch (error) {
    throw new Error(`${what} failed:\n${(error.stderr || error.message).slice(-4000)}`, { cause: error });
  }
}

/** Compiles the application both ways; gives the folders of the bundles. */
async function compile(dir) {
  log("compiling fixtures/interop");
  const app = path.join(dir, "app");
  await cp(path.join(root, "fixtures", "interop"), app, {
    recursive: true,
    filter: (file) => path.basename(file) !== ".eve",
  });
  await runNode("eve build", [path.join(root, "bin", "eve.js"), "build", app], app);
  return {
    build: path.join(app, ".eve", "output"),
    plugin: await pluginBuild(app, path.join(app, "plugin")),
  };
}

async function outcomesOn(host, output, dataDir) {
  log(`running on ${host}`);
  await mkdir(dataDir, { recursive: true });
  const stdout = await runNode(
    host,
    [path.join(here, "hosts", `${host}.mjs`), output, dataDir],
    path.dirname(output),
  );
  // What steps and the foreign runtime print comes before the last line.
  return JSON.parse(stdout.trimEnd().split("\n").at(-1));
}

/** Why a scenario's outcome isn't the expected one; `undefined` when it is. */
function difference({ expect, expectError, streamed }, outcome) {
  if (!outcome) return "no outcome";
  const wanted =
    expectError === undefined
      ? { status: "completed", output: expect, ...(streamed ? { chunks: streamed } : {}) }
      : { status: "failed", error: { message: expectError } };
  if (isDeepStrictEqual(outcome, wanted)) return undefined;
  return `expected ${JSON.stringify(wanted)}\n      got      ${JSON.stringify(outcome)}`;
}

/** Every file of the output stays as it was: the very same bundles ran on both. */
async function contents(dir) {
  const names = (await readdir(dir)).sort();
  return await Promise.all(names.map(async (name) => [name, await readFile(path.join(dir, name), "utf8")]));
}

/** What runs on what: a build has what eve's engine needs besides the bundles, a plugin's output hasn't. */
const COMBINATIONS = [
  { host: "eve", from: "build" },
  { host: "core", from: "build" },
  { host: "core", from: "plugin" },
];

/**
 * Compiles and runs everything.
 *
 * @returns {Promise<{ name: string, host: string, from: string, problem?: string }[]>} one entry per scenario,
 *   engine and way of compiling
 */
export async function interop({ dir }) {
  await installed(here, log);
  const outputs = await compile(dir);
  const results = [];
  for (const { host, from } of COMBINATIONS) {
    const output = outputs[from];
    const before = await contents(output);
    const dataDir = path.join(dir, "app", ".eve", `data-${host}-${from}`);
    const outcomes = await outcomesOn(host, output, dataDir);
    for (const scenario of scenarios) {
      const problem = difference(scenario, outcomes[scenario.name]);
      results.push({ name: scenario.name, host, from, ...(problem === undefined ? {} : { problem }) });
    }
    if (!isDeepStrictEqual(before, await contents(output)))
      throw new Error("A run changed the compiled output.");
  }
  return results;
}

async function main() {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      keep: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const dir = await mkdtemp(path.join(tmpdir(), "eve-interop-"));
  try {
    const results = await interop({ dir });
    const failed = results.filter(({ problem }) => problem !== undefined);
    if (values.json) console.log(JSON.stringify(results, null, 2));
    else {
      for (const { name, host, from, problem } of results) {
        const [state, why] = problem ? ["not ok", `\n      ${problem}`] : ["ok    ", ""];
        console.log(`${state} ${host.padEnd(4)} ${from.padEnd(6)} ${name}${why}`);
      }
      console.log(`interop: ${results.length - failed.length} passed, ${failed.length} failed`);
    }
    if (failed.length > 0) process.exitCode = 1;
  } finally {
    if (values.keep) log(`kept in ${dir}`);
    else await rm(dir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 2;
  }
}
