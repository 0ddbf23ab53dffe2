#!/usr/bin/env node
// What a replay context costs: creation, memory, one operation. Medians of several runs.
// node --expose-gc scripts/bench/realm.mjs  (without --expose-gc the memory row is left out)
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL, fileURLToPath } from "node:url";
import vm from "node:vm";
import * as esbuild from "esbuild";
import { realmText } from "../realm-text.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

/** The replay module from its sources, so that the bench needs no build. */
async function load() {
  const folder = mkdtempSync(path.join(tmpdir(), "eve-bench-"));
  const outfile = path.join(folder, "replay.mjs");
  await esbuild.build({
    entryPoints: [path.join(root, "packages/runtime/src/replay/index.ts")],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    plugins: [realmText()],
  });
  try {
    return await import(pathToFileURL(outfile));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const CODE = `
globalThis.__private_workflows = new Map();
async function step(...args) { return globalThis[Symbol.for("WORKFLOW_USE_STEP")]("step//./bench//step")(...args); }
async function sequential(n) { let sum = 0; for (let i = 0; i < n; i += 1) sum += await step(i); return sum; }
async function parallel(n) { return (await Promise.all(Array.from({ length: n }, (_, i) => step(i)))).length; }
async function objects(n) { let last; for (let i = 0; i < n; i += 1) last = await step({ id: i, tags: ["a", "b"], at: new Date(i) }); return last; }
for (const run of [sequential, parallel, objects]) globalThis.__private_workflows.set(run.name, run);
`;
const HOST = { hookToken: () => "token", webhookUrl: () => "http://127.0.0.1/" };

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const print = (what, value, unit) =>
  console.log(`${what.padEnd(48)}${value.toFixed(2).padStart(10)} ${unit}`);
const timed = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

const { createBody, compileWorkflowBundle } = await load();
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

/** Microseconds per operation of one body, each answered as soon as it is asked for. */
function perOperation(workflowId, n, replaying) {
  const run = body(workflowId, n);
  const value = workflowId === "objects" ? '[{"id":1,"ok":2},7,true]' : "[1]";
  let ended = false;
  const total = timed(() => {
    const queue = run.pump({ type: "start", at: 1e12, replaying }).operations;
    for (let i = 0; i < queue.length; i += 1) {
      const result = run.pump({ type: "resolve", at: 1e12 + i, key: queue[i].key, value, replaying });
      queue.push(...result.operations);
      ended = result.outcome?.status === "completed";
    }
  });
  run.dispose();
  if (!ended) throw new Error(`${workflowId} did not end`);
  return (total * 1e3) / n;
}

console.log(`Node ${process.version}, medians`);
const bare = () => vm.createContext(vm.constants.DONT_CONTEXTIFY, { microtaskMode: "afterEvaluate" });
print("bare vm context", median(Array.from({ length: 200 }, () => timed(bare))), "ms");
print("createBody", median(Array.from({ length: 200 }, () => timed(() => body("sequential", 1)))), "ms");
const idle = Array.from({ length: 200 }, () => body("sequential", 1));
print("first pump", median(idle.map((run) => timed(() => run.pump({ type: "start", at: 1e12 })))), "ms");

for (const replaying of [false, true]) {
  for (const [workflow, n] of [
    ["sequential", 100],
    ["sequential", 10_000],
    ["parallel", 10_000],
    ["objects", 10_000],
  ]) {
    const us = median(Array.from({ length: 9 }, () => perOperation(workflow, n, replaying)));
    print(`${replaying ? "replayed" : "live"}, ${n} ${workflow}`, us, "µs per operation");
  }
}

if (globalThis.gc) {
  const memory = (create) => {
    const kept = Array.from({ length: 20 }, create);
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 500; i += 1) kept.push(create());
    gc();
    return (process.memoryUsage().heapUsed - before) / 500 / 1024;
  };
  print("heap of a bare context", memory(bare), "KB");
  const parked = () => {
    const run = body("sequential", 1);
    run.pump({ type: "start", at: 1e12 });
    return run;
  };
  print("heap of a hot parked run", memory(parked), "KB");
}
