import type { PartialMessage } from "../bundle/esbuild.js";
import type { Diagnostic } from "../types.js";

/** A finding as a message of esbuild, with its place, its notes and its help. */
export function messageOf(finding: Diagnostic, textOf: (file: string) => string | undefined): PartialMessage {
  const { code, message, file, line, column, endLine, endColumn, notes, help } = finding;
  const text = lineOf(textOf(file), line);
  return {
    id: code,
    text: `${code}: ${message}`,
    location: location(file, line, column, endLine === line ? endColumn : undefined, text),
    notes: [
      ...notes.map((note) =>
        note.file === undefined || note.line === undefined
          ? { text: note.message }
          : {
              text: note.message,
              location: location(
                note.file,
                note.line,
                note.column ?? 1,
                undefined,
                lineOf(textOf(note.file), note.line),
              ),
            },
      ),
      ...(help === undefined ? [] : [{ text: help }]),
    ],
    detail: finding,
  };
}

/** esbuild counts columns from 0, in bytes of UTF-8. */
function location(
  file: string,
  line: number,
  column: number,
  endColumn: number | undefined,
  lineText: string | undefined,
): PartialMessage["location"] {
  const bytes = (units: number): number =>
    lineText === undefined ? units : Buffer.byteLength(lineText.slice(0, units));
  const start = bytes(column - 1);
  const length = endColumn === undefined ? 0 : Math.max(bytes(endColumn - 1) - start, 0);
  return { file, line, column: start, length, ...(lineText === undefined ? {} : { lineText }) };
}

function lineOf(text: string | undefined, line: number): string | undefined {
  return text?.replace(/^\uFEFF/, "").split(/\r\n|[\n\r\u2028\u2029]/)[line - 1];
}
