import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";

const NAMES = ["tsconfig.json", "jsconfig.json", "package.json"];

/**
 * Files above `dirs` that decide how modules are resolved and compiled: each folder's tsconfig, jsconfig and
 * package.json, and what those extend. Files that don't exist are listed too, since making one changes the
 * result. Absolute, sorted.
 */
export function configurationFiles(dirs: Iterable<string>): string[] {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const start of dirs) {
    for (let dir = start; !seen.has(dir); dir = path.dirname(dir)) {
      seen.add(dir);
      for (const name of NAMES) found.add(path.join(dir, name));
    }
  }
  for (const file of found) {
    if (path.basename(file) === "package.json" || !existsSync(file)) continue;
    for (const extended of extendsOf(file)) found.add(extended);
  }
  return [...found].sort();
}

/** The files that a tsconfig extends. */
function extendsOf(file: string): string[] {
  const value = /"extends"\s*:\s*("(?:[^"\\]|\\.)*"|\[[^\]]*\])/.exec(readFileSync(file, "utf8"))?.[1] ?? "";
  return [...value.matchAll(/"((?:[^"\\]|\\.)*)"/g)].flatMap(([, name = ""]) => {
    if (!/^\.|^\//.test(name)) return installed(name, file);
    const target = path.resolve(path.dirname(file), name);
    return target.endsWith(".json")
      ? [target]
      : [target, `${target}.json`, path.join(target, "tsconfig.json")];
  });
}

function installed(name: string, file: string): string[] {
  const require = createRequire(file);
  for (const candidate of [name, `${name}.json`, `${name}/tsconfig.json`]) {
    try {
      return [require.resolve(candidate)];
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
    }
  }
  return [];
}
