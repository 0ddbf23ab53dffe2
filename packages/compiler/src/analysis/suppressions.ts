import type * as t from "@babel/types";
import { positionAt } from "../parse/lines.js";
import type { Suppression } from "../types.js";

const COMMENT = /^[\s*]*eve-ignore-next-line\b\s*([\s\S]*?)\s*$/;

/** Reads `// eve-ignore-next-line CODE[, CODE…] -- reason` comments; one entry for each code. */
export function readSuppressions(comments: readonly t.Comment[], lines: readonly number[]): Suppression[] {
  const found: Suppression[] = [];
  for (const comment of comments) {
    const match = COMMENT.exec(comment.value);
    if (match === null) continue;
    const [, text = ""] = match;
    const separator = /(?:^|\s)--\s/.exec(`${text} `);
    const codes = separator ? text.slice(0, separator.index) : text;
    const reason = separator ? text.slice(separator.index + separator[0].length).trim() : "";
    const start = comment.start ?? 0;
    const end = comment.end ?? start;
    const from = positionAt(lines, start);
    const to = positionAt(lines, end);
    const named = codes.split(/[\s,]+/).filter((part) => part !== "");
    for (const code of named.length > 0 ? named : [""]) {
      found.push({
        code,
        ...(reason === "" ? {} : { reason }),
        appliesTo: to.line + 1,
        line: from.line,
        column: from.column,
        start,
        end,
      });
    }
  }
  // Several of them one below the other all mean the first line of code behind them.
  for (let index = found.length - 2; index >= 0; index--) {
    const suppression = found[index] as Suppression;
    const next = found.find((other) => other.line === suppression.appliesTo);
    if (next) suppression.appliesTo = next.appliesTo;
  }
  return found;
}
