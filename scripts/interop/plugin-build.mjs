import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import * as esbuild from "esbuild";
import { eve } from "../../packages/compiler/dist/esbuild.js";

/** The modules a pipeline of one's own names: the tools, and the modules whose steps they import. */
async function entryText(app) {
  const tools = (await readdir(path.join(app, "agent", "tools"))).sort();
  const modules = [...tools.map((tool) => `./agent/tools/${tool}`), "./lib/steps.ts", "./lib/mailbox.ts"];
  return modules.map((module) => `import "${module}";`).join("\n");
}

/**
 * Compiles an application with the esbuild plugin alone, as a pipeline without `eve build` would: two bundles of the
 * same names, nothing else.
 *
 * @returns {Promise<string>} the output folder
 */
export async function pluginBuild(app, out) {
  await mkdir(out, { recursive: true });
  const stdin = { contents: await entryText(app), resolveDir: app, sourcefile: "entry.ts", loader: "ts" };
  const shared = { absWorkingDir: app, stdin, bundle: true, target: "node20", logLevel: "silent" };
  await Promise.all([
    esbuild.build({
      ...shared,
      platform: "neutral",
      format: "cjs",
      outfile: path.join(out, "workflow.cjs"),
      plugins: [eve({ mode: "workflow" })],
    }),
    esbuild.build({
      ...shared,
      platform: "node",
      format: "esm",
      outfile: path.join(out, "server.mjs"),
      plugins: [eve({ mode: "step" })],
    }),
  ]);
  return out;
}
