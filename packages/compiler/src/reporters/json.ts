import type { Diagnostic } from "../types.js";
import type { ReportOptions } from "./options.js";
import { rebaseDiagnostics, sortDiagnostics, summarise, type Summary } from "./order.js";

/** The document of `--format json`. */
export interface JsonReport {
  diagnostics: Diagnostic[];
  summary: Summary;
}

/** Findings as one JSON document, ending with a line break. */
export function formatJson(diagnostics: readonly Diagnostic[], options: ReportOptions): string {
  const { root, cwd = root } = options;
  const sorted = sortDiagnostics(rebaseDiagnostics(diagnostics, root, cwd)).map(ordered);
  const report: JsonReport = { diagnostics: sorted, summary: summarise(sorted) };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

/** The same order of keys for every finding. */
function ordered(finding: Diagnostic): Diagnostic {
  const { code, severity, message, file, line, column, endLine, endColumn, notes, help, docs } = finding;
  const start = { code, severity, message, file, line, column, endLine, endColumn, notes };
  return help === undefined ? { ...start, docs } : { ...start, help, docs };
}
