import path from "node:path";
import { pathToFileURL } from "node:url";
import * as esbuild from "esbuild";
import { PARTS, ROOT } from "./paths.mjs";

const COMPILER = path.join(ROOT, "packages", "compiler");

/**
 * The pure functions of the compiler, which its public entry keeps to itself: `analyseModule`, `sliceModule`,
 * `emitModule`. Bundled from the sources the way the packages are.
 */
export async function compilerParts() {
  await esbuild.build({
    stdin: {
      contents: ["analysis", "slicing", "transform"]
        .map((part) => `export * from "./${part}/index.js";`)
        .join("\n"),
      resolveDir: path.join(COMPILER, "src"),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    outfile: PARTS,
    logLevel: "error",
  });
  return await import(pathToFileURL(PARTS).href);
}
