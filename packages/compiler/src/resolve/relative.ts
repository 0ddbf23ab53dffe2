import { realpathSync, statSync } from "node:fs";
import path from "node:path";

/** esbuild's order for a specifier without extension (its default `resolveExtensions`). */
const TRIED = ["", ".tsx", ".ts", ".jsx", ".js", ".css", ".json"];

/**
 * Resolves the plain case of a relative import without asking esbuild: a file with that very name, or with one of
 * the extensions esbuild tries, in its order. Anything else (folders, `.js` written for `.ts`) is
 * `undefined` and goes to esbuild, so that both always agree.
 */
export function resolveRelative(specifier: string, fromDir: string): string | undefined {
  if (!/^\.\.?\//.test(specifier) || specifier.endsWith("/") || /[?#]/.test(specifier)) return undefined;
  const base = path.resolve(fromDir, specifier);
  for (const extension of TRIED) {
    const stats = statSync(base + extension, { throwIfNoEntry: false });
    if (stats?.isFile()) return realpathSync(base + extension);
  }
  return undefined;
}
