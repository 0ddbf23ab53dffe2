#!/usr/bin/env node
// Fails when a package imports another one against the dependency direction, or a package it doesn't declare.
import { readFileSync, readdirSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGES } from "./packages.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const builtins = new Set(builtinModules);
const IMPORT =
  /(?:^|\n)\s*(?:import|export)\b[^"'`;]*?\bfrom\s*["']([^"']+)["']|(?:^|\n)\s*import\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;
const problems = [];
let checked = 0;

for (const { name, id, uses, usesOnlyFrom = {} } of PACKAGES) {
  const dir = path.join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(path.join(dir, "package.json"), "utf8"));
  const declared = new Set(
    ["dependencies", "optionalDependencies", "peerDependencies"].flatMap((key) =>
      Object.keys(manifest[key] ?? {}),
    ),
  );
  for (const file of readdirSync(path.join(dir, "src"), { recursive: true })) {
    if (!file.endsWith(".ts") || /\.test\.ts$|(^|\/)testing\//.test(file)) continue;
    checked += 1;
    const text = readFileSync(path.join(dir, "src", file), "utf8").replace(
      /\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm,
      "",
    );
    for (const [, a, b, c] of text.matchAll(IMPORT)) {
      const specifier = a ?? b ?? c;
      if (specifier.startsWith(".") || specifier.startsWith("node:") || specifier.startsWith("virtual:"))
        continue;
      const target = specifier
        .split("/")
        .slice(0, specifier.startsWith("@") ? 2 : 1)
        .join("/");
      if (builtins.has(target) || target === id) continue;
      const where = `packages/${name}/src/${file}`;
      if (PACKAGES.some((other) => other.id === target)) {
        if (!uses.includes(target)) problems.push(`${where}: ${id} must not import ${target}`);
        const only = usesOnlyFrom[target];
        if (only && !only.includes(file))
          problems.push(`${where}: only ${only.join(", ")} may import ${target}`);
      }
      if (!declared.has(target)) problems.push(`${where}: ${target} is not in packages/${name}/package.json`);
    }
  }
}

for (const problem of problems) console.error(problem);
console.log(`dependency direction: ${checked} files, ${problems.length} problem(s)`);
process.exitCode = problems.length > 0 ? 1 : 0;
