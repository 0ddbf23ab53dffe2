import { decodeField, encodeFields, type Cursor } from "./vlq.js";

/** A part of a text that is made of several, with the map that belongs to it. */
export interface MapPart {
  /** 0-based line of the whole on which the part begins. */
  line: number;
  /** Source map (version 3), serialised. */
  map: string;
  /** What of the mapped text is left out at its beginning: whole lines, and columns of the line after them. */
  skipped: { lines: number; columns: number };
}

interface RawMap {
  sources: (string | null)[];
  sourcesContent?: (string | null)[];
  names: string[];
  mappings: string;
}

/** Index of a source, line, column and index of a name: what segments count on from one to the next. */
type Counts = [source: number, line: number, column: number, name: number];

/**
 * Makes one map of those of several parts, which come in the order of their lines and have no line in common. Mappings
 * are taken over as text but for the segments that count on from those of another part.
 *
 * @param nameOf gives the name to write for a source
 */
export function joinMaps(parts: readonly MapPart[], nameOf: (source: string) => string): string {
  const sources: (string | null)[] = [];
  const sourcesContent: (string | null)[] = [];
  const names: string[] = [];
  let mappings = "";
  let line = 0;
  let counts: Counts = [0, 0, 0, 0];
  for (const part of parts) {
    const map = JSON.parse(part.map) as RawMap;
    const base: Counts = [sources.length, 0, 0, names.length];
    const rebased = rebase(map.mappings, part.skipped, base, counts);
    mappings += ";".repeat(part.line - line) + rebased.mappings;
    line = part.line + rebased.lines;
    counts = rebased.counts;
    sources.push(...map.sources.map((source) => (source === null ? null : nameOf(source))));
    sourcesContent.push(...map.sources.map((_, index) => map.sourcesContent?.[index] ?? null));
    names.push(...map.names);
  }
  return JSON.stringify({ version: 3, sources, sourcesContent, names, mappings });
}

const LINE = 59;
const COMMA = 44;

/** Mappings that count on from `counts`, with `base` added to all that they count. */
function rebase(
  mappings: string,
  skipped: MapPart["skipped"],
  base: Counts,
  counts: Counts,
): { mappings: string; lines: number; counts: Counts } {
  const own: Counts = [0, 0, 0, 0];
  const result: Counts = [...counts];
  const pieces: string[] = [];
  const fields: number[] = [];
  const cursor: Cursor = { text: mappings, at: 0 };
  let copied = 0;
  let line = 0;
  let isFirstOfLine = true;
  let [hasSource, hasName] = [false, false];
  while (cursor.at < mappings.length) {
    const unit = mappings.charCodeAt(cursor.at);
    if (unit === LINE) {
      line++;
      cursor.at++;
      isFirstOfLine = true;
      if (line <= skipped.lines) copied = cursor.at;
      continue;
    }
    if (unit === COMMA) {
      cursor.at++;
      continue;
    }
    const start = cursor.at;
    fields.length = 0;
    while (cursor.at < mappings.length) {
      const next = mappings.charCodeAt(cursor.at);
      if (next === LINE || next === COMMA) break;
      fields.push(decodeField(cursor));
    }
    for (let index = 1; index < fields.length; index++)
      own[index - 1] = (own[index - 1] ?? 0) + (fields[index] ?? 0);
    const isShifted = isFirstOfLine && line === skipped.lines && skipped.columns > 0;
    isFirstOfLine = false;
    if (line < skipped.lines) continue;
    const startsSources = !hasSource && fields.length >= 4;
    const startsNames = !hasName && fields.length === 5;
    if (!isShifted && !startsSources && !startsNames) continue;
    if (isShifted) fields[0] = (fields[0] ?? 0) - skipped.columns;
    const from = startsSources ? 0 : 3;
    const to = startsNames ? 4 : 3;
    for (let index = from; index < to; index++) {
      fields[index + 1] = (own[index] ?? 0) + (base[index] ?? 0) - (counts[index] ?? 0);
    }
    hasSource ||= startsSources;
    hasName ||= startsNames;
    pieces.push(mappings.slice(copied, start), encodeFields(fields));
    copied = cursor.at;
  }
  pieces.push(mappings.slice(copied));
  if (hasSource) for (const index of [0, 1, 2] as const) result[index] = own[index] + base[index];
  if (hasName) result[3] = own[3] + base[3];
  return { mappings: pieces.join(""), lines: Math.max(line - skipped.lines, 0), counts: result };
}
