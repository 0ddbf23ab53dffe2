import { decode } from "@jridgewell/sourcemap-codec";
import type { Place } from "../types.js";

/** Tells whether the code of a place is in a bundle. */
export type Survives = (
  source: string,
  place: Pick<Place, "line" | "column" | "endLine" | "endColumn">,
) => boolean;

/**
 * Reads from a bundle's source map which places of the authors' files are still in it. Slicing keeps whole
 * modules where a namespace is used; what tree shaking then removes must not cause findings.
 *
 * @param map serialised; its sources are canonical names
 */
export function survivorsOf(map: string): Survives {
  const { sources, mappings } = JSON.parse(map) as { sources: (string | null)[]; mappings: string };
  const lines = new Map<string, number[]>();
  for (const segments of decode(mappings)) {
    for (const segment of segments) {
      if (segment.length === 1) continue;
      const [, source, line, column] = segment;
      const key = `${sources[source] ?? ""}\0${line + 1}`;
      const columns = lines.get(key);
      if (columns === undefined) lines.set(key, [column + 1]);
      else columns.push(column + 1);
    }
  }
  return (source, { line, column, endLine, endColumn }) => {
    for (let at = line; at <= endLine; at++) {
      const from = at === line ? column : 1;
      const to = at === endLine ? endColumn : Number.POSITIVE_INFINITY;
      if (lines.get(`${source}\0${at}`)?.some((mapped) => from <= mapped && mapped <= to)) return true;
    }
    return false;
  };
}
