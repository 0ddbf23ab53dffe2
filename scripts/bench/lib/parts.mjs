/** Parts of the packages that their public entries keep to themselves, bundled from the sources. */
import path from "node:path";
import * as esbuild from "esbuild";
import { realmText } from "../../realm-text.mjs";
import { COMPILER_PARTS, REPLAY, ROOT } from "./paths.mjs";

const reexports = (folders) => folders.map((folder) => `export * from "./${folder}/index.js";`).join("\n");

async function bundle(name, folders, outfile) {
  await esbuild.build({
    stdin: {
      contents: reexports(folders),
      resolveDir: path.join(ROOT, "packages", name, "src"),
      loader: "ts",
    },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    packages: "external",
    plugins: [realmText()],
    outfile,
    logLevel: "error",
  });
}

/** `analyseModule`, `sliceModule`, `emitModule`, in the file `COMPILER_PARTS`. */
export const bundleCompilerParts = () =>
  bundle("compiler", ["analysis", "slicing", "transform"], COMPILER_PARTS);

/** `createBody`, `compileWorkflowBundle`, in the file `REPLAY`. */
export const bundleReplay = () => bundle("runtime", ["replay"], REPLAY);
