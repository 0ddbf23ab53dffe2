import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { directiveNotCompiled } from "../rules/index.js";
import type { Diagnostic, ModuleAnalysis } from "../types.js";

/** Rules whose findings answer for a directive string that isn't compiled. */
const ANSWERS = /^EVE100[2-8]$/;

/**
 * The compiler's check on itself: every string that was read as a directive is compiled, or its function has a finding
 * that says why not.
 *
 * @returns EVE3001 at each string that was lost
 */
export function assertEveryDirectiveCompiled(analysis: ModuleAnalysis): Diagnostic[] {
  const findings = analysis.diagnostics
    .filter((finding) => ANSWERS.test(finding.code))
    .map((finding) => (analysis.lines[finding.line - 1] ?? 0) + finding.column - 1);
  return analysis.directiveStrings
    .filter(({ start, owner }) => {
      const compiled = analysis.directives.some(
        (fn) => fn.directiveStart <= start && start < fn.directiveEnd,
      );
      return !compiled && !findings.some((offset) => owner.start <= offset && offset <= owner.end);
    })
    .map((lost) => diagnosticAt(analysis.file, analysis.lines, lost, directiveNotCompiled()));
}
