import { existsSync } from "node:fs";
import path from "node:path";

/** The folder above `dir` (or `dir`) whose `node_modules` holds the package, as Node.js searches it. */
export function installedFrom(packageName: string, dir: string): string | undefined {
  for (let at = dir; ; at = path.dirname(at)) {
    if (path.basename(at) !== "node_modules" && existsSync(path.join(at, "node_modules", packageName)))
      return at;
    if (at === path.dirname(at)) return undefined;
  }
}

/** The package part of a bare specifier: `@scope/name` or `name`. */
export function packageOf(specifier: string): string {
  const [first = "", second = ""] = specifier.split("/");
  return first.startsWith("@") ? `${first}/${second}` : first;
}
