import path from "node:path";
import { withoutExtension, type ModuleIdentity } from "../ids/index.js";
import type { PackageIndex, PackageInfo } from "./packages.js";

const slashes = (file: string): string => file.replaceAll(path.sep, "/");

/** `file` (absolute, real) as a path relative to `dir`, with `/`. */
export function relativePath(dir: string, file: string): string {
  return slashes(path.relative(dir, file));
}

/** `file` as an import written in a file of `dir`. */
export function specifierFrom(dir: string, file: string): string {
  const relative = relativePath(dir, file);
  return relative.startsWith("../") || path.isAbsolute(relative) ? relative : `./${relative}`;
}

/** Whether a file belongs to the eve package in `sdk`. */
export function isInSdk(file: string, sdk: string | undefined): boolean {
  return sdk !== undefined && file.startsWith(sdk + path.sep);
}

/**
 * The identity of a module file. Files of the package that holds the app root are the application's when they
 * lie below the root; everything else belongs to the package that owns it.
 */
export function identify(file: string, root: string, packages: PackageIndex, sdk?: string): ModuleIdentity {
  if (isInSdk(file, sdk)) return { kind: "eve" };
  const inApp = relativePath(root, file);
  const inside = !inApp.startsWith("../") && !path.isAbsolute(inApp);
  const owner = packages.ofFile(file);
  if (owner === undefined) return { kind: "app", path: inApp };
  if (inside && owner.dir === packages.ofFolder(root)?.dir) return { kind: "app", path: inApp };
  const inPackage = relativePath(owner.dir, file);
  const subpath = subpathOf(owner, inPackage);
  return {
    kind: "package",
    name: owner.name,
    version: owner.version,
    ...(subpath === undefined ? {} : { subpath }),
    path: inPackage,
  };
}

/** The name under which a package offers a file: empty for its root, `undefined` when it doesn't offer it. */
function subpathOf(owner: PackageInfo, inPackage: string): string | undefined {
  const offered = exportedAs(owner.exports, inPackage);
  if (offered.includes(".")) return "";
  const [first] = offered;
  if (first !== undefined) return first.slice(2);
  if (owner.exports === undefined && isMain(owner, inPackage)) return "";
  // A file that isn't offered must not take the name of another one that is.
  const bare = withoutExtension(inPackage);
  return exportedAs(owner.exports, undefined).includes(`./${bare}`) ? inPackage : undefined;
}

function isMain(owner: PackageInfo, inPackage: string): boolean {
  const bare = withoutExtension(inPackage);
  return [owner.main, owner.module, "index"].some((main) => {
    if (main === undefined) return false;
    const target = path.posix.normalize(main).replace(/^\.\//, "");
    return target === inPackage || target === bare || `${target.replace(/\/$/, "")}/index` === bare;
  });
}

/** Keys of an `exports` field (with `./`) one of whose targets is the file; all keys without one. Sorted. */
function exportedAs(exports: unknown, inPackage: string | undefined): string[] {
  if (exports === undefined || exports === null) return [];
  const table = isSubpathTable(exports) ? exports : { ".": exports };
  const found: string[] = [];
  for (const key of Object.keys(table)) {
    for (const target of targetsOf(table[key])) {
      const name = inPackage === undefined ? key : match(key, target, inPackage);
      if (name !== undefined) found.push(name);
    }
  }
  return [...new Set(found)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

function isSubpathTable(exports: unknown): exports is Record<string, unknown> {
  return (
    typeof exports === "object" &&
    exports !== null &&
    !Array.isArray(exports) &&
    Object.keys(exports).some((key) => key.startsWith("."))
  );
}

/** All file targets below an `exports` entry, whatever the conditions. */
function targetsOf(entry: unknown): string[] {
  if (typeof entry === "string") return [entry];
  if (Array.isArray(entry)) return entry.flatMap(targetsOf);
  if (typeof entry === "object" && entry !== null) return Object.values(entry).flatMap(targetsOf);
  return [];
}

/** The subpath that leads to the file through one `exports` pair; `*` stands for the same text on both sides. */
function match(key: string, target: string, inPackage: string): string | undefined {
  const file = `./${inPackage}`;
  const star = target.indexOf("*");
  if (star === -1) return target === file ? key : undefined;
  const [head, tail] = [target.slice(0, star), target.slice(star + 1)];
  if (!key.includes("*") || file.length < head.length + tail.length) return undefined;
  if (!file.startsWith(head) || !file.endsWith(tail)) return undefined;
  return key.replace("*", () => file.slice(head.length, file.length - tail.length));
}

/**
 * The name of an input file inside outputs: comments, module keys and source maps. `sdk` is the folder of the
 * `eve` package.
 */
export function canonicalName(file: string, root: string, packages: PackageIndex, sdk?: string): string {
  if (sdk !== undefined && isInSdk(file, sdk)) return `eve:${relativePath(sdk, file).replace(/^dist\//, "")}`;
  const identity = identify(file, root, packages);
  if (identity.kind === "package") return `${identity.name}@${identity.version}/${identity.path}`;
  return identity.kind === "app" ? identity.path : `eve:${path.basename(file)}`;
}

/** `canonicalName` for many files: the files of one folder share all but their last part. */
export function canonicalNames(root: string, packages: PackageIndex, sdk?: string): (file: string) => string {
  const prefixes = new Map<string, string>();
  return (file) => {
    const base = path.basename(file);
    const dir = file.slice(0, file.length - base.length);
    let prefix = prefixes.get(dir);
    if (prefix === undefined) {
      const name = canonicalName(file, root, packages, sdk);
      prefix = name.slice(0, name.length - base.length);
      prefixes.set(dir, prefix);
    }
    return prefix + base;
  };
}
