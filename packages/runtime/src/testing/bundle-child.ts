import { mkdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import * as esbuild from "esbuild";

const root = path.resolve(import.meta.dirname, "../../../..");

/**
 * Bundles a source of `testing/` to a program that runs in a process of its own. Gives its file, which the caller
 * removes; it lies below the workspace's `node_modules`, so that it finds its packages.
 */
export async function bundleChild(entry: string): Promise<string> {
  const folder = path.join(root, "node_modules/.cache");
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `eve-${path.basename(entry, ".ts")}-${process.pid}.mjs`);
  const { realmText } = (await import(path.join(root, "scripts/realm-text.mjs"))) as {
    realmText(): esbuild.Plugin;
  };
  await esbuild.build({
    entryPoints: [path.join(import.meta.dirname, entry)],
    outfile: file,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    alias: { "eve/internal/symbols": path.join(root, "packages/eve/src/symbols.ts") },
    plugins: [realmText()],
    logLevel: "error",
  });
  return file;
}
