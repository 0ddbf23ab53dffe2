import type { Range } from "../types.js";

/** Blanks and at most one comment behind a statement on its last line, and the line break. */
const REST_OF_LINE = /[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n\r]*?\*\/)?[ \t]*(?:\r\n|\n|\r|$)/y;

/** Comments and the blanks between them, one item at a time. */
const ITEM = /\/\/[^\n\r]*|\/\*[\s\S]*?\*\/|\r\n|\n|\r|[^\S\n\r]+/g;

/** Comments that tools read about the whole file, or about more than the statement below them. */
const FOR_TOOLS =
  /^\/[/*]!|@(?:license|preserve|copyright|jsx|ts-nocheck|format|vitest)|^\/[/*]\s*(?:[#@] ?source|#(?:end)?region|<reference)/;

/**
 * The range to remove for a dropped statement: with the comments that stand directly above it and at the end of its last
 * line, and with the lines they leave empty.
 *
 * @param gap where the text between the statement before and this one begins
 */
export function statementClearing(text: string, statement: Range, gap: number): Range {
  const { start, end } = statement;
  REST_OF_LINE.lastIndex = end;
  const rest = REST_OF_LINE.exec(text);
  const from = startOfComments(text, start, gap);
  const wholeLine = from === 0 || /[\n\r]/.test(text[from - 1] ?? "");
  if (rest === null) return { start: from, end };
  // A statement that shares its first line with another one leaves the line break to that one.
  return { start: from, end: end + (wholeLine ? rest[0].length : rest[0].trimEnd().length) };
}

/** Where the block of comments begins that stands directly above a statement, without an empty line in between. */
function startOfComments(text: string, start: number, gap: number): number {
  const items = [...text.slice(gap, start).matchAll(ITEM)];
  let at = start;
  let breaks = 0;
  let result = start;
  for (let index = items.length - 1; index >= 0; index--) {
    const match = items[index] as RegExpExecArray;
    const [item] = match;
    // Anything between two items is no comment: a directive of the module, for one.
    if (gap + match.index + item.length !== at) break;
    at = gap + match.index;
    if (/^[\n\r]/.test(item)) {
      breaks++;
      if (breaks > 1) break;
      result = at + item.length;
    } else if (item.startsWith("/")) {
      // The first comment of a file is about the file; one behind a statement on its line is about that.
      if (at === 0 || !lineIsBlankBefore(text, at, gap) || FOR_TOOLS.test(item)) break;
      breaks = 0;
      result = at;
    }
  }
  return result;
}

function lineIsBlankBefore(text: string, offset: number, gap: number): boolean {
  for (let at = offset - 1; at >= gap; at--) {
    const unit = text[at] ?? "";
    if (/[\n\r]/.test(unit)) return true;
    if (!/\s/.test(unit)) return false;
  }
  return false;
}

/** The range to remove for a directive: its whole line when nothing else stands on it. */
export function directiveClearing(text: string, directive: Range): Range {
  let start = directive.start;
  while (/[ \t]/.test(text[start - 1] ?? "")) start--;
  const rest = /[ \t]*(?:\r\n|\n|\r)/y;
  rest.lastIndex = directive.end;
  const match = rest.exec(text);
  if (match === null || !/[\n\r]/.test(text[start - 1] ?? "")) return directive;
  return { start, end: directive.end + match[0].length };
}
