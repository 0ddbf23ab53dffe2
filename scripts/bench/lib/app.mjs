import { cp, mkdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { wallMs } from "./child.mjs";
import { BENCH, EVE, ROOT } from "./paths.mjs";

/** Ids of the workflows in `app/`. */
export const WORKFLOWS = {
  sequential: "workflow//./agent/tools/steps//sequential",
  parallel: "workflow//./agent/tools/steps//parallel",
  parked: "workflow//./agent/tools/steps//parked",
  firstStep: "workflow//./agent/tools/steps//firstStep",
  checked: "workflow//./agent/tools/checked//checked",
};

/** Parts of the application: `base` always, `zod` adds a workflow whose body holds that package. */
const PARTS = ["base", "zod"];

/**
 * Compiles the application that the engine benchmarks run into an empty folder. The same two bundles are run by eve
 * and by the peers.
 *
 * @param {string} dir
 * @param {{ zod?: boolean }} [options] whether one of the bodies holds zod
 * @returns {Promise<string>} the output folder
 */
export async function compiledApp(dir, { zod = false } = {}) {
  for (const part of zod ? PARTS : PARTS.slice(0, 1)) {
    await cp(path.join(BENCH, "app", part), dir, { recursive: true });
  }
  await mkdir(path.join(dir, "node_modules"), { recursive: true });
  await symlink(path.join(ROOT, "node_modules", "zod"), path.join(dir, "node_modules", "zod"), "dir");
  await wallMs([EVE, "build", dir]);
  return path.join(dir, ".eve", "output");
}

/** Text of the bundle that holds the bodies. */
export const workflowCode = (output) => readFile(path.join(output, "workflow.cjs"), "utf8");
