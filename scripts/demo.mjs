#!/usr/bin/env node
// The deploy example, from source to result: builds it, runs the tool on the embedded store and asks its
// question. Without a terminal it answers by itself.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const args = [
  "run",
  "deploy",
  "--dir",
  path.join(root, "fixtures", "deploy-agent"),
  "--input",
  '{"service":"api"}',
];
if (!process.stdin.isTTY) {
  console.log("No terminal to ask in: the demo answers its question with “approve”.");
  args.push("--answer", "approve");
}
const child = spawn(process.execPath, [path.join(root, "bin", "eve.js"), ...args], { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`The demo could not start: ${error.message}`);
  process.exitCode = 2;
});
child.on("exit", (code) => (process.exitCode = code ?? 1));
