import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";
import { installedFrom } from "../resolve/installed.js";

/**
 * What a build depended on, so that the next one can tell whether anything changed. Paths are relative to the app
 * root. `""` stands for a file or folder that wasn't there.
 */
export interface Fingerprint {
  /** sha256 of files of the app. */
  files: Record<string, string>;
  /** Size and time of files of installed packages, which nobody edits in place. */
  installed: Record<string, string>;
  /** sha256 of the names in a folder: a new file may take the place of another one. */
  folders: Record<string, string>;
  /** Where packages were found from the root. */
  packages: Record<string, string>;
}

/** Absolute paths and names that a build depended on. */
export interface Dependencies {
  files: Iterable<string>;
  installed: Iterable<string>;
  folders: Iterable<string>;
  packages: Iterable<string>;
}

/** Describes the present state of what a build depended on; `textOf` gives texts that were read already. */
export function fingerprint(
  root: string,
  { files, installed, folders, packages }: Dependencies,
  textOf: (file: string) => string | undefined = () => undefined,
): Fingerprint {
  const relative = (file: string): string => path.relative(root, file);
  const table = (paths: Iterable<string>, state: (file: string) => string): Record<string, string> =>
    Object.fromEntries([...new Set(paths)].sort().map((file) => [relative(file), state(file)]));
  return {
    files: table(files, (file) => {
      const text = textOf(file);
      return text === undefined ? fileState(file) : sha256(text);
    }),
    installed: table(installed, statState),
    folders: table(folders, folderState),
    packages: Object.fromEntries(
      [...new Set(packages)].sort().map((name) => [name, packageState(name, root)]),
    ),
  };
}

/** Whether everything is still as it was. */
export function isUnchanged(root: string, { files, installed, folders, packages }: Fingerprint): boolean {
  const holds = (table: Record<string, string>, state: (file: string) => string): boolean =>
    Object.entries(table).every(([file, before]) => state(path.join(root, file)) === before);
  return (
    holds(folders, folderState) &&
    holds(installed, statState) &&
    Object.entries(packages).every(([name, before]) => packageState(name, root) === before) &&
    holds(files, fileState)
  );
}

export function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function fileState(file: string): string {
  return orMissing(() => sha256(readFileSync(file)));
}

function statState(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : `${stats.size} ${stats.mtimeMs}`;
}

function folderState(dir: string): string {
  return orMissing(() => sha256(JSON.stringify(readdirSync(dir).filter(counts).sort())));
}

/** Folders of tools (`.git`, `.eve`) come and go without a meaning for the build. */
function counts(name: string): boolean {
  return !name.startsWith(".");
}

function packageState(name: string, root: string): string {
  const holder = installedFrom(name, root);
  if (holder === undefined) return "";
  return `${path.relative(root, holder)} ${fileState(path.join(holder, "node_modules", name, "package.json"))}`;
}

function orMissing(read: () => string): string {
  try {
    return read();
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return "";
  }
}
