import { spawn } from "node:child_process";
import path from "node:path";
import { ROOT } from "./paths.mjs";

/** Builds the packages, so that what is measured is what the sources say. */
export async function ensureBuilt(log) {
  log("building the packages …");
  const child = spawn(process.execPath, [path.join(ROOT, "scripts", "build.mjs"), "--no-types"], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const code = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", resolve);
  });
  if (code !== 0) throw new Error("The packages don't build; `npm run build` says why.");
}
