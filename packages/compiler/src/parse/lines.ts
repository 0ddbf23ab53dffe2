/** Line terminators as ECMAScript and the TypeScript language service count them. */
const TERMINATOR = /\r\n|[\n\r\u2028\u2029]/g;

/** A position as people read it: 1-based line, 1-based column in UTF-16 units. */
export interface LineColumn {
  line: number;
  column: number;
}

/** Offsets of the first unit of every line of `text`. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(TERMINATOR)) starts.push(match.index + match[0].length);
  return starts;
}

/** Turns an offset into line and column, given `lineStarts` of the text. */
export function positionAt(lines: readonly number[], offset: number): LineColumn {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: offset - (lines[low] ?? 0) + 1 };
}

/** The four numbers of a `Place` for a range of offsets. */
export function placeOf(
  lines: readonly number[],
  range: { start: number; end: number },
): { line: number; column: number; endLine: number; endColumn: number } {
  const from = positionAt(lines, range.start);
  const to = positionAt(lines, range.end);
  return { line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

/** Removes the byte order mark, which no position counts. */
export function withoutBom(source: string): string {
  return source.charCodeAt(0) === 0xfeff ? source.slice(1) : source;
}
