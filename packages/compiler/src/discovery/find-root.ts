import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { CompilerError, shownPath } from "../build/compiler-error.js";
import { findModule, isFolder, listFolder } from "./files.js";

/** `nested`: the agent's files are in `agent/`; `flat`: they are in the root itself. */
export type Layout = "nested" | "flat";

/** The layout of an application root, or `undefined` when `dir` isn't one. */
export function layoutOf(dir: string): Layout | undefined {
  if (isFolder(path.join(dir, "agent"))) return "nested";
  const flat =
    findModule(dir, "agent") !== undefined ||
    (existsSync(path.join(dir, "instructions.md")) && isFolder(path.join(dir, "tools")));
  return flat ? "flat" : undefined;
}

/** Roots of the agents of a workspace: `agents/<name>` that hold an `agent/` folder, sorted. */
export function workspaceMembers(dir: string): string[] {
  const agents = path.join(dir, "agents");
  return listFolder(agents)
    .filter(({ name, folder }) => folder && !name.startsWith("."))
    .map(({ name }) => path.join(agents, name))
    .filter((member) => isFolder(path.join(member, "agent")));
}

/**
 * Walks up from `cwd` to the application root: the first folder that holds `agent/`, the agent files
 * themselves, members in `agents/<name>/agent/`, or a built output in `.eve/output/`.
 * @throws CompilerError `NO_APP_ROOT` when there is none up to the file system's root.
 */
export function findRoot(cwd: string): string {
  const start = path.resolve(cwd);
  for (let dir = start; ; dir = path.dirname(dir)) {
    if (isRoot(dir)) return realpathSync(dir);
    if (dir === path.dirname(dir)) break;
  }
  throw new CompilerError(
    "NO_APP_ROOT",
    `No agent in ${shownPath(start)} or above it: there is no "agent/" folder.`,
    {
      help: 'Create agent/tools/<name>.ts, which exports a tool (defineWorkflowTool of "eve/tools"), or name the application with --dir.',
    },
  );
}

function isRoot(dir: string): boolean {
  if (path.basename(dir) === "node_modules") return false;
  return (
    layoutOf(dir) !== undefined ||
    isFolder(path.join(dir, ".eve", "output")) ||
    workspaceMembers(dir).length > 0
  );
}
