#!/usr/bin/env node
// Runs the conformance cases. `fixtures/cases-pending.txt` names the ids of cases not yet expected to pass: it only
// shrinks, a listed case that passes has to be taken out. `fixtures/cases-corrected.json` corrects cases that contradict
// their own input: texts of their `expect.json` that are replaced before they run, with the reason.
import { spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const cases = path.resolve(root, process.argv[2] ?? "../shared/cases");
const pendingFile = path.join(root, "fixtures", "cases-pending.txt");
const correctionsFile = path.join(root, "fixtures", "cases-corrected.json");

function pendingIds() {
  if (!existsSync(pendingFile)) return new Set();
  const lines = readFileSync(pendingFile, "utf8").split("\n");
  return new Set(lines.map((line) => line.replace(/#.*/, "").trim()).filter(Boolean));
}

/** Copies a folder's files without their modes: the suite may be read-only. */
function copyFiles(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyFiles(source, target);
    else writeFileSync(target, readFileSync(source));
  }
}

/** Corrected copies of cases in a folder of their own, which the runner takes like the suite itself. */
function correctedCases(corrections, dir) {
  const entries = JSON.parse(readFileSync(path.join(cases, "index.json"), "utf8"));
  const chosen = entries.filter(({ id }) => id in corrections);
  for (const { id, dir: name } of chosen) {
    copyFiles(path.join(cases, name), path.join(dir, name));
    const file = path.join(dir, name, "expect.json");
    let text = readFileSync(file, "utf8");
    for (const { from, to } of corrections[id].replace) {
      if (text.split(from).length !== 2)
        throw new Error(`${correctionsFile}: ${id} doesn't hold ${from} once: take the correction out`);
      text = text.replace(from, () => to);
    }
    writeFileSync(file, text);
  }
  writeFileSync(path.join(dir, "index.json"), JSON.stringify(chosen));
  return chosen.map(({ id }) => id);
}

function run(...args) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(cases, "run.mjs"), "--json", ...args], { cwd: root });
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 2 || out === "" ? reject(new Error(err || `exit ${code}`)) : resolve(JSON.parse(out).cases),
    );
  });
}

async function runAll() {
  const corrections = existsSync(correctionsFile) ? JSON.parse(readFileSync(correctionsFile, "utf8")) : {};
  const dir = mkdtempSync(path.join(os.tmpdir(), "eve-cases-"));
  try {
    const corrected = correctedCases(corrections, dir);
    const results = await run();
    if (corrected.length === 0) return results;
    for (const id of corrected) console.log(`${id} is run with a correction: ${corrections[id].reason}`);
    const again = await run("--cases", dir);
    return [...results.filter(({ id }) => !corrected.includes(id)), ...again];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const pending = pendingIds();
let [failed, passed, waiting] = [0, 0, 0];
for (const { id, slug, status, reasons } of await runAll()) {
  if (status === "skipped") continue;
  const expected = pending.has(id);
  if (status === "passed" && !expected) passed += 1;
  else if (status === "failed" && expected) waiting += 1;
  else {
    failed += 1;
    const why = expected ? "passes now: take it out of fixtures/cases-pending.txt" : reasons.join("\n    ");
    console.log(`not ok ${id} ${slug}: ${why}`);
  }
}
console.log(`cases: ${passed} passed, ${failed} failed, ${waiting} pending`);
process.exitCode = failed > 0 ? 1 : 0;
