import { suppressionUnknown, suppressionUnused, suppressionWithoutReason } from "../rules/index.js";
import { ruleByCode } from "../rules/catalogue.js";
import type { Diagnostic, ModuleAnalysis, Suppression } from "../types.js";
import { compareDiagnostics, diagnosticAt } from "./diagnostic.js";

/**
 * Only judgements about running code can be silenced. A finding about a directive, an id or a tool can't: the build
 * would have to guess, or to ignore what was written.
 */
const SUPPRESSIBLE = /^EVE(?:1105|1203|2\d{3})$/;

/**
 * Takes suppressed findings out, and adds a finding (EVE3002) for each suppression that is malformed or silences
 * nothing.
 *
 * @param findings findings of all modules
 * @param analyses modules whose findings are complete, suppressions included
 * @returns findings that remain, sorted
 */
export function applySuppressions(
  findings: readonly Diagnostic[],
  analyses: Iterable<Pick<ModuleAnalysis, "file" | "lines" | "suppressions">>,
): Diagnostic[] {
  const silenced = new Set<Diagnostic>();
  const added: Diagnostic[] = [];
  for (const { file, lines, suppressions } of analyses) {
    const own = suppressions.length === 0 ? [] : findings.filter((finding) => finding.file === file);
    for (const suppression of suppressions) {
      const finding = judge(suppression, own, silenced);
      if (finding) added.push(diagnosticAt(file, lines, suppression, finding));
    }
  }
  return [...findings.filter((finding) => !silenced.has(finding)), ...added].sort(compareDiagnostics);
}

function judge(
  suppression: Suppression,
  findings: readonly Diagnostic[],
  silenced: Set<Diagnostic>,
): ReturnType<typeof suppressionUnused> | undefined {
  const { code, reason, appliesTo } = suppression;
  if (!SUPPRESSIBLE.test(code) || ruleByCode(code) === undefined) return suppressionUnknown(code);
  if (reason === undefined) return suppressionWithoutReason(code);
  const matching = findings.filter((finding) => finding.code === code && finding.line === appliesTo);
  for (const finding of matching) silenced.add(finding);
  return matching.length === 0 ? suppressionUnused(code) : undefined;
}
