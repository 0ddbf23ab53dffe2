import { placeOf } from "../parse/lines.js";
import type { Finding } from "../rules/rule.js";
import type { Diagnostic, DiagnosticNote, Range } from "../types.js";

/** The anchor of a rule's description. */
export function docsAnchor(code: string): string {
  return `docs/rules.md#${code.toLowerCase()}`;
}

/**
 * Places a finding: turns what a rule says and a range of a file into a diagnostic.
 *
 * @param lines offsets of the first unit of each line (`ModuleAnalysis.lines`, or `lineStarts(text)`)
 *
 * ```ts
 * diagnosticAt("lib/a.ts", analysis.lines, { start: 10, end: 20 }, missingDirective("execute"));
 * ```
 */
export function diagnosticAt(
  file: string,
  lines: readonly number[],
  range: Range,
  finding: Finding,
  notes: DiagnosticNote[] = [],
): Diagnostic {
  return {
    code: finding.rule.code,
    severity: finding.rule.severity,
    message: finding.message,
    file,
    ...placeOf(lines, range),
    notes,
    ...(finding.help === undefined ? {} : { help: finding.help }),
    docs: docsAnchor(finding.rule.code),
  };
}

/** The order of every report: path, position, code, message. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

/** By UTF-16 units: the same order on every machine, whatever its locale. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
