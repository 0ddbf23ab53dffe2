const UNITS: readonly (readonly [pattern: RegExp, milliseconds: number])[] = [
  [/^(milliseconds?|msecs?|ms)?$/, 1],
  [/^(seconds?|secs?|s)$/, 1_000],
  [/^(minutes?|mins?|m)$/, 60_000],
  [/^(hours?|hrs?|h)$/, 3_600_000],
  [/^(days?|d)$/, 86_400_000],
  [/^(weeks?|w)$/, 604_800_000],
  [/^(years?|yrs?|y)$/, 31_557_600_000],
];

/** Milliseconds, or a text in the grammar of the package `ms`: `"30s"`, `"4h"`, `"2 days"`, `"1.5 hours"`. */
export type Duration = number | string;

/**
 * Milliseconds of a duration. The grammar is that of the package `ms` (https://github.com/vercel/ms), written
 * out here because this code runs in replay contexts too, where it has to stay small and free of imports.
 * @throws TypeError for a negative or non-finite number, or a text outside the grammar.
 */
export function durationMs(duration: Duration): number {
  if (typeof duration === "number") {
    if (Number.isFinite(duration) && duration >= 0) return duration;
    throw new TypeError(`A duration in milliseconds must be a finite number of at least 0, got ${duration}.`);
  }
  const match = typeof duration === "string" ? /^(\d*\.?\d+) *([a-z]*)$/i.exec(duration) : null;
  const unit = UNITS.find(([pattern]) => pattern.test((match?.[2] ?? "").toLowerCase()));
  if (!match || !unit || String(duration).length > 100) {
    throw new TypeError(
      `${JSON.stringify(duration) ?? typeof duration} is not a duration. Write milliseconds, or a text such as "30s", "4h" or "2 days".`,
    );
  }
  return Number(match[1]) * unit[1];
}
