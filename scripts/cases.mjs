#!/usr/bin/env node
// Runs the conformance cases and holds the result against `fixtures/cases-pending.txt`: the ids of the cases not
// yet expected to pass. That list only shrinks: a listed case that passes has to be taken out.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const cases = path.resolve(root, process.argv[2] ?? "../shared/cases");
const pendingFile = path.join(root, "fixtures", "cases-pending.txt");

function pendingIds() {
  if (!existsSync(pendingFile)) return new Set();
  const lines = readFileSync(pendingFile, "utf8").split("\n");
  return new Set(lines.map((line) => line.replace(/#.*/, "").trim()).filter(Boolean));
}

function run() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(cases, "run.mjs"), "--json"], { cwd: root });
    let [out, err] = ["", ""];
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.on("error", reject);
    child.on("exit", (code) =>
      code === 2 || out === "" ? reject(new Error(err || `exit ${code}`)) : resolve(JSON.parse(out)),
    );
  });
}

const pending = pendingIds();
const { cases: results } = await run();
let [failed, passed, waiting] = [0, 0, 0];
for (const { id, slug, status, reasons } of results) {
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
