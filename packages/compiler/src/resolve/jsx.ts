import { createRequire } from "node:module";
import path from "node:path";
import type * as GetTsconfig from "get-tsconfig";

let library: typeof GetTsconfig | undefined;

/** The tsconfig library; loaded on demand, since most apps hold no JSX. */
function tsconfigLibrary(): typeof GetTsconfig {
  library ??= createRequire(import.meta.url)("get-tsconfig") as typeof GetTsconfig;
  return library;
}

/**
 * Top-level names that the JSX of a file compiles to uses of, by the tsconfig that owns it: `jsxFactory` and
 * `jsxFragmentFactory`, none for the automatic runtime. `undefined` when the file has no JSX or nothing is set.
 */
export function jsxNames(file: string): string[] | undefined {
  if (!/\.[jt]sx$/.test(file)) return undefined;
  const { getTsconfig } = tsconfigLibrary();
  const dir = path.dirname(file);
  const options = (getTsconfig(dir) ?? getTsconfig(dir, "jsconfig.json"))?.config.compilerOptions;
  if (options === undefined) return undefined;
  if (/^react-jsx(?:dev)?$/.test(options.jsx ?? "")) return [];
  const { jsxFactory, jsxFragmentFactory } = options;
  if (jsxFactory === undefined && jsxFragmentFactory === undefined) return undefined;
  const names = [jsxFactory ?? "React.createElement", jsxFragmentFactory ?? "React.Fragment"];
  return [...new Set(names.map((name) => name.split(".")[0] ?? name))];
}
