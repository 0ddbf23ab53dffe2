import { readdirSync, statSync, type Dirent } from "node:fs";
import path from "node:path";
import { CompilerError, shownPath, systemCode } from "../build/compiler-error.js";

/** Extensions of source modules, in the order in which they win over each other. */
export const SOURCE_EXTENSIONS = [".ts", ".mts", ".cts", ".tsx", ".js", ".mjs", ".cjs", ".jsx"] as const;

const IGNORED_FOLDERS = new Set(["__tests__", "node_modules", "dist", "build", "coverage"]);
const IGNORED_FILE = /\.d\.[cm]?ts$|\.(?:test|spec)\.[^.]+$/;

/** The source extension of a file name, or `undefined` when it isn't a source module. */
export function sourceExtension(name: string): string | undefined {
  if (IGNORED_FILE.test(name)) return undefined;
  return SOURCE_EXTENSIONS.find((extension) => name.endsWith(extension) && name.length > extension.length);
}

/** Whether discovery looks into a folder of this name. */
export function isSearchedFolder(name: string): boolean {
  return !name.startsWith(".") && !IGNORED_FOLDERS.has(name);
}

/** Entries of a folder sorted by name; empty when there is no such folder. Links count as what they lead to. */
export function listFolder(dir: string): { name: string; folder: boolean }[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(dir, { withFileTypes: true });
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    throw new CompilerError("UNREADABLE_FILE", `Can't list ${shownPath(dir)}: ${code ?? String(error)}.`, {
      cause: error,
      help: "Check the permissions of this folder.",
    });
  }
  return entries
    .map((entry) => ({ name: entry.name, folder: leadsToFolder(dir, entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

function leadsToFolder(dir: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return statSync(path.join(dir, entry.name), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function isFolder(dir: string): boolean {
  return statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The module `<dir>/<stem>.<source extension>`, the first extension that exists. */
export function findModule(dir: string, stem: string): string | undefined {
  for (const extension of SOURCE_EXTENSIONS) {
    const file = path.join(dir, stem + extension);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
  }
  return undefined;
}

/** Source modules below `dir`, as paths relative to it with `/`, sorted. */
export function listModules(dir: string, below = ""): string[] {
  const found: string[] = [];
  for (const { name, folder } of listFolder(path.join(dir, below))) {
    const relative = below === "" ? name : `${below}/${name}`;
    if (folder) {
      if (isSearchedFolder(name)) found.push(...listModules(dir, relative));
    } else if (sourceExtension(name) !== undefined) found.push(relative);
  }
  return found;
}
