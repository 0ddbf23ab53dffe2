import path from "node:path";
import type { Diagnostic, DiagnosticNote } from "../types.js";

/** How many findings there are of each severity. */
export interface Summary {
  errors: number;
  warnings: number;
}

export function summarise(diagnostics: readonly Diagnostic[]): Summary {
  const errors = diagnostics.filter((finding) => finding.severity === "error").length;
  return { errors, warnings: diagnostics.length - errors };
}

/** By path, then position, then code and message: an order that doesn't depend on how findings were found. */
export function compareDiagnostics(a: Diagnostic, b: Diagnostic): number {
  return (
    compareText(a.file, b.file) ||
    a.line - b.line ||
    a.column - b.column ||
    compareText(a.code, b.code) ||
    compareText(a.message, b.message)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Sorted, and each finding once: two bundles may meet the same fault. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  return diagnostics.toSorted(compareDiagnostics).filter((finding) => {
    const key = [finding.file, finding.line, finding.column, finding.code, finding.message].join("\0");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Findings with paths relative to `to` instead of `from` (both absolute folders). */
export function rebaseDiagnostics(
  diagnostics: readonly Diagnostic[],
  from: string,
  to: string,
): Diagnostic[] {
  if (path.resolve(from) === path.resolve(to)) return [...diagnostics];
  const rebase = (file: string): string =>
    path.relative(to, path.resolve(from, file)).replaceAll(path.sep, "/");
  const note = (item: DiagnosticNote): DiagnosticNote =>
    item.file === undefined ? item : { ...item, file: rebase(item.file) };
  return diagnostics.map((finding) => ({
    ...finding,
    file: rebase(finding.file),
    notes: finding.notes.map(note),
  }));
}
