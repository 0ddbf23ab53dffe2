import type { Diagnostic } from "../types.js";

/** Findings that are known and put up with, so that only new ones count. Lines don't matter, so that edits don't. */
export interface Baseline {
  version: 1;
  /** Sorted; `count` findings with these words in this file. */
  findings: { code: string; file: string; message: string; count: number }[];
}

/** The baseline of these findings. Paths stay as they are: relative to the app root. */
export function baselineOf(diagnostics: readonly Diagnostic[]): Baseline {
  const counts = new Map<string, number>();
  for (const finding of diagnostics) counts.set(keyOf(finding), (counts.get(keyOf(finding)) ?? 0) + 1);
  const findings = [...counts]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, count]) => {
      const [file = "", code = "", message = ""] = key.split("\0");
      return { code, file, message, count };
    });
  return { version: 1, findings };
}

/** Takes known findings out; of equal ones, the first `count`. */
export function withoutBaseline(
  diagnostics: readonly Diagnostic[],
  { findings }: Baseline,
): { diagnostics: Diagnostic[]; known: number } {
  const left = new Map(findings.map((entry) => [keyOf(entry), entry.count]));
  const remaining = diagnostics.filter((finding) => {
    const count = left.get(keyOf(finding)) ?? 0;
    if (count > 0) left.set(keyOf(finding), count - 1);
    return count === 0;
  });
  return { diagnostics: remaining, known: diagnostics.length - remaining.length };
}

function keyOf({ code, file, message }: { code: string; file: string; message: string }): string {
  return [file, code, message].join("\0");
}
