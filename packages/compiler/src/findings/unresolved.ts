import path from "node:path";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { positionAt } from "../parse/lines.js";
import { relativePath } from "../resolve/identity.js";
import { unresolvedImport } from "../rules/index.js";
import type { Diagnostic, Range } from "../types.js";

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

/** An import that leads nowhere. */
export interface LostImport {
  specifier: string;
  /** File that holds it, relative to the app root. */
  file: string;
  /** Offset of each of its lines. */
  lines: readonly number[];
  range: Range;
  /** See `triedFor`. */
  tried: readonly string[];
}

/**
 * Findings for imports that lead nowhere (EVE1201). A package that several modules miss is one fault, and one finding at
 * its first import, with the other modules in notes.
 */
export function lostImports(imports: readonly LostImport[]): Diagnostic[] {
  const groups = new Map<string, LostImport[]>();
  for (const lost of imports) {
    const isPackage = lost.tried.length === 0 && /^[^./#~]/.test(lost.specifier);
    const key = isPackage ? lost.specifier : `${lost.specifier}\0${lost.file}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [lost]);
    else group.push(lost);
  }
  return [...groups.values()].flatMap((group) => {
    const ofModules = new Map<string, LostImport>();
    for (const lost of group.toSorted(byPlace)) if (!ofModules.has(lost.file)) ofModules.set(lost.file, lost);
    const [first, ...others] = ofModules.values();
    if (first === undefined) return [];
    const notes = others.map(({ file, lines, range }) => {
      const { line, column } = positionAt(lines, range.start);
      return { message: `also imported by ${file}`, file, line, column };
    });
    const finding = unresolvedImport(first.specifier, first.file, first.tried);
    return [diagnosticAt(first.file, first.lines, first.range, finding, notes)];
  });
}

function byPlace(a: LostImport, b: LostImport): number {
  return a.file === b.file ? a.range.start - b.range.start : a.file < b.file ? -1 : 1;
}
