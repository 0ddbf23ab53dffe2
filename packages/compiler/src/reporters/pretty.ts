import type * as CodeFrame from "@babel/code-frame";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import colors from "picocolors";
import { systemCode } from "../build/compiler-error.js";
import type { Diagnostic, DiagnosticNote } from "../types.js";
import type { PrettyOptions } from "./options.js";
import { rebaseDiagnostics, sortDiagnostics, summarise, type Summary } from "./order.js";

type Colors = ReturnType<typeof colors.createColors>;

/**
 * Findings for people: a header line `path:line:col severity CODE: message`, the code, notes, help; at the end
 * the count. Empty for no findings. Ends with a line break otherwise.
 *
 * ```ts
 * process.stderr.write(formatPretty(result.diagnostics, { root, cwd: process.cwd(), color: true }));
 * ```
 */
export function formatPretty(diagnostics: readonly Diagnostic[], options: PrettyOptions): string {
  if (diagnostics.length === 0) return "";
  const { root, cwd = root, color = false, read = readOrNothing } = options;
  const paint = colors.createColors(color);
  const sorted = sortDiagnostics(rebaseDiagnostics(diagnostics, root, cwd));
  const texts = new Map<string, string | undefined>();
  const textOf = (file: string): string | undefined => {
    const full = path.resolve(cwd, file);
    if (!texts.has(full)) texts.set(full, read(full)?.replace(/^\uFEFF/, ""));
    return texts.get(full);
  };
  const blocks = sorted.map((finding) => block(finding, textOf(finding.file), paint, color));
  return `${blocks.join("\n\n")}\n\n${formatCount(summarise(sorted))}\n`;
}

/** `3 errors, 1 warning`; `no findings` when there are none. */
export function formatCount({ errors, warnings }: Summary): string {
  const parts = [
    errors > 0 ? `${errors} ${errors === 1 ? "error" : "errors"}` : "",
    warnings > 0 ? `${warnings} ${warnings === 1 ? "warning" : "warnings"}` : "",
  ].filter((part) => part !== "");
  return parts.join(", ") || "no findings";
}

function block(finding: Diagnostic, text: string | undefined, paint: Colors, color: boolean): string {
  const word = finding.severity === "error" ? paint.red("error") : paint.yellow("warning");
  const place = `${finding.file}:${finding.line}:${finding.column}`;
  const lines = [`${paint.bold(place)} ${word} ${finding.code}: ${finding.message}`];
  if (text !== undefined) lines.push(frame(finding, text, color));
  for (const note of finding.notes) lines.push(`  ${noteText(note)}`);
  if (finding.help !== undefined) lines.push(indent(`${paint.cyan("help:")} ${finding.help}`));
  return lines.join("\n");
}

function frame({ line, column, endLine, endColumn }: Diagnostic, text: string, color: boolean): string {
  const oneLine = endLine === line;
  const location = {
    start: { line, column },
    // A long construct is pointed at where it begins.
    ...(oneLine && endColumn > column ? { end: { line: endLine, column: endColumn } } : {}),
  };
  // Loaded when there is something to show: most builds find nothing.
  const { codeFrameColumns } = createRequire(import.meta.url)("@babel/code-frame") as typeof CodeFrame;
  const code = codeFrameColumns(text, location, {
    linesAbove: 2,
    linesBelow: 1,
    highlightCode: color,
    forceColor: color,
  });
  return indent(code);
}

function noteText({ message, file, line, column }: DiagnosticNote): string {
  if (file === undefined) return message;
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  return `${message} (${place})`;
}

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // gone since the build: the finding is shown without its code
  }
}
