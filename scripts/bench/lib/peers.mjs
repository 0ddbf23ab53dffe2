import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { PEERS } from "./paths.mjs";

/** npm keeps the lock it installed from in `node_modules/.package-lock.json`: same packages, nothing to do. */
function isInstalled(dir) {
  const installed = path.join(dir, "node_modules", ".package-lock.json");
  if (!existsSync(installed)) return false;
  const packages = (file) => {
    const { "": _root, ...rest } = JSON.parse(readFileSync(file, "utf8")).packages;
    return Object.entries(rest);
  };
  const have = new Map(packages(installed).map(([name, { version }]) => [name, version]));
  // Packages for other platforms stand in the lock but aren't installed.
  return packages(path.join(dir, "package-lock.json")).every(
    ([name, { version, optional }]) => have.get(name) === version || (optional && !have.has(name)),
  );
}

function npmCi(dir) {
  const child = spawn("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--workspaces=false"], {
    cwd: dir,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  return new Promise((resolve, reject) => {
    child.on("error", (error) => reject(new Error(`npm could not be started: ${error.message}`)));
    child.on("close", (code) => {
      if (code === 0) resolve();
      else
        reject(
          new Error(`\`npm ci\` in ${dir} failed (exit ${code}). It needs the npm registry.\n${output}`),
        );
    });
  });
}

/** Installs the packages of a folder with a lock file of its own, once. Gives the folder. */
export async function installed(dir, log) {
  if (!isInstalled(dir)) {
    log(`installing ${path.relative(process.cwd(), dir)} …`);
    await npmCi(dir);
  }
  return dir;
}

/** Imports a package that the benchmarks compare with. */
export async function importPeer(name, log) {
  await installed(PEERS, log);
  const require = createRequire(path.join(PEERS, "package.json"));
  return await import(pathToFileURL(require.resolve(name)).href);
}

/** Path of a file or package among the peers. */
export const resolvePeer = (name) => createRequire(path.join(PEERS, "package.json")).resolve(name);
