import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { UsageError } from "../errors.js";

/** The folders of one app. All absolute. */
export interface App {
  root: string;
  /** What `eve build` publishes. */
  output: string;
  /** The embedded store. */
  data: string;
}

/**
 * Finds the app: `dir` if given, else the first folder from `cwd` up that holds an agent or a built output.
 * Kept free of the compiler, so that `eve run --no-build` and `eve runs` start quickly.
 * @throws UsageError when there is none.
 */
export function locateApp(cwd: string, dir?: string): App {
  const start = path.resolve(cwd, dir ?? ".");
  if (!isFolder(start)) throw new UsageError(`${dir ?? start} is not a folder.`);
  if (dir !== undefined) return appAt(start);
  for (let at = start; ; at = path.dirname(at)) {
    if (isRoot(at)) return appAt(at);
    if (at === path.dirname(at)) break;
  }
  throw new UsageError(
    `No agent in ${start} or above it: there is no "agent/" folder and no ".eve/output/". Name the app with --dir.`,
  );
}

function appAt(dir: string): App {
  const root = realpathSync(dir);
  return { root, output: path.join(root, ".eve", "output"), data: path.join(root, ".eve", "data") };
}

function isFolder(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isRoot(dir: string): boolean {
  if (isFolder(path.join(dir, "agent")) || isFolder(path.join(dir, ".eve", "output"))) return true;
  // The flat layout: the agent's files stand in the root itself.
  const tools = path.join(dir, "tools");
  if (
    isFolder(tools) &&
    ["agent.ts", "agent.js", "agent.mts", "agent.mjs", "instructions.md"].some((file) =>
      existsSync(path.join(dir, file)),
    )
  ) {
    return true;
  }
  const members = path.join(dir, "agents");
  return (
    isFolder(members) && readdirSync(members).some((name) => isFolder(path.join(members, name, "agent")))
  );
}
