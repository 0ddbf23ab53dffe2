import path from "node:path";
import { relativePath } from "../resolve/identity.js";

/**
 * The files that an import was looked for at, relative to the app root: targets of tsconfig `paths` for an
 * alias, the path itself for a relative import. Empty for a package name.
 */
export async function triedFor(specifier: string, importer: string, root: string): Promise<string[]> {
  const dir = path.dirname(importer);
  if (/^\.\.?(?:\/|$)/.test(specifier)) return [relativePath(root, path.resolve(dir, specifier))];
  // Loaded here because only a failing import needs it.
  const { createPathsMatcher, getTsconfig } = await import("get-tsconfig");
  const config = getTsconfig(dir) ?? getTsconfig(dir, "jsconfig.json");
  if (config === null) return [];
  const match = createPathsMatcher(config);
  const targets = match?.(specifier) ?? [];
  return targets.map((target) => relativePath(root, target));
}
