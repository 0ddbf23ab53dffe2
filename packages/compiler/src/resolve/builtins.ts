import { builtinModules } from "node:module";

const BUILTINS = new Set(builtinModules.filter((name) => !name.startsWith("_")));

/** Names that exist only with the `node:` prefix are legal with it alone; all others with and without. */
export function isBuiltin(specifier: string): boolean {
  return specifier.startsWith("node:") || BUILTINS.has(specifier);
}

/** `node:fs` for both `fs` and `node:fs`. */
export function builtinName(specifier: string): string {
  return specifier.startsWith("node:") ? specifier : `node:${specifier}`;
}

/** An esbuild filter (Go syntax) for builtin specifiers, with and without `node:`. */
export const BUILTIN_FILTER = new RegExp(
  `^(?:node:.+|${[...BUILTINS]
    .filter((name) => !name.startsWith("node:"))
    .sort()
    .map((name) => name.replaceAll("/", "\\/"))
    .join("|")})$`,
);
