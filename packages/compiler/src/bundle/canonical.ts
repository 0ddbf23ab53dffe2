import path from "node:path";
import type { Metafile } from "./esbuild.js";

/**
 * Replaces the paths that esbuild writes into code (module comments and the keys of lazily evaluated
 * modules) by canonical names. Each of them has its line to itself, before any mapped code of that line, so
 * source maps stay right.
 */
export function canonicalCode(code: string, rename: ReadonlyMap<string, string>): string {
  if (rename.size === 0) return code;
  return code.replace(
    /^(\/\/ |\s+(?:async )?")(.+?)($|"\([^)]*\) \{$)/gm,
    (line, head: string, name: string, tail: string) => {
      const quoted = head.endsWith('"');
      const known = rename.get(quoted ? unquote(name) : name);
      if (known === undefined || quoted === (tail === "")) return line;
      return head + (quoted ? JSON.stringify(known).slice(1, -1) : known) + tail;
    },
  );
}

function unquote(text: string): string {
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return text; // a string of the author's code that isn't JSON: no module key
  }
}

/** Names of inputs as esbuild writes them → canonical names, for those that differ. */
export function renamings(
  metafile: Metafile,
  workingDir: string,
  nameOf: (file: string) => string,
): Map<string, string> {
  const found = new Map<string, string>();
  for (const input of Object.keys(metafile.inputs)) {
    if (isVirtual(input)) continue;
    const name = nameOf(path.resolve(workingDir, input));
    if (name !== input) found.set(input, name);
  }
  return found;
}

/** Whether an input of a metafile is not a file. */
export function isVirtual(input: string): boolean {
  return /^(?:eve-[a-z]+:|<)/.test(input);
}

/** Rewrites the sources of a map, which are relative to `mapDir`, to canonical names. `shift`: lines put before. */
export function canonicalMap(
  text: string,
  mapDir: string,
  nameOf: (file: string) => string,
  shift = 0,
): string {
  const map = JSON.parse(text) as { sources: (string | null)[]; mappings: string };
  const sourceName = sourceNames(mapDir, nameOf);
  map.sources = map.sources.map((source) => (source === null ? null : sourceName(source)));
  map.mappings = ";".repeat(shift) + map.mappings;
  return JSON.stringify(map);
}

/** Canonical names of the sources of maps that lie in `mapDir`. */
export function sourceNames(mapDir: string, nameOf: (file: string) => string): (source: string) => string {
  return (source) => (isVirtual(source) ? source : nameOf(path.resolve(mapDir, source)));
}
