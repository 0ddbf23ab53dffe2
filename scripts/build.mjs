#!/usr/bin/env node
// Builds the packages: type declarations with tsc, one bundle per public entry with esbuild.
// Bundling our own sources (dependencies stay imports) keeps start-up short: one file is read where
// tsc's output would make Node open a hundred.
import { spawn } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { PACKAGES } from "./packages.mjs";
import { realmText } from "./realm-text.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

/**
 * Removes what an earlier build left, once the new files are there, so that a program that starts meanwhile finds a
 * whole package. Declarations and tsc's own state stay: tsc updates them itself.
 */
function removeStale(dist, written) {
  for (const file of readdirSync(dist, { recursive: true })) {
    const full = path.join(dist, file);
    if (/\.js(\.map)?$/.test(file) && !written.has(full)) rmSync(full);
  }
}

async function bundle({ name, entries }) {
  const dir = path.join(root, "packages", name);
  const dist = path.join(dir, "dist");
  const { metafile } = await esbuild.build({
    absWorkingDir: dir,
    entryPoints: Object.entries(entries).map(([out, source]) => ({ out, in: path.join(dir, "src", source) })),
    outdir: dist,
    bundle: true,
    splitting: true,
    chunkNames: "chunk-[hash]",
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: "warning",
    plugins: [realmText()],
  });
  removeStale(dist, new Set(Object.keys(metafile.outputs).map((file) => path.join(dir, file))));
}

function declarations() {
  return new Promise((resolve, reject) => {
    const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
    const child = spawn(process.execPath, [tsc, "-b"], { cwd: root, stdio: "inherit" });
    child.on("error", reject);
    child.on("exit", (code) => (code === 0 ? resolve() : reject(new Error(`tsc -b ended with ${code}`))));
  });
}

const fast = process.argv.includes("--no-types");
try {
  await Promise.all([...PACKAGES.map(bundle), fast ? undefined : declarations()]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
