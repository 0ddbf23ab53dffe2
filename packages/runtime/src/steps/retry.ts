import { readOf } from "../values/thrown.js";

/** Retries after the first attempt, unless the step function says otherwise (`fn.maxRetries`). */
export const DEFAULT_MAX_RETRIES = 3;
const FIRST_DELAY = 1_000;
/** Doubling stops here: a step with many retries is tried at least once a day. */
const LONGEST_DELAY = 24 * 60 * 60 * 1_000;

/** How a thrown value is to be treated. */
export interface Verdict {
  /** No other attempt, whatever the number. */
  fatal: boolean;
  /** Earliest time of the next attempt, when the error names one (epoch ms). */
  retryAfter?: number;
}

/**
 * Reads the marks that `FatalError` and `RetryableError` carry. The step's bundle has its own copies of these
 * classes, so they are known by their fields, not by `instanceof`.
 */
export function judge(thrown: unknown): Verdict {
  if (typeof thrown !== "object" || thrown === null) return { fatal: false };
  const marks = thrown as { name?: unknown; fatal?: unknown; retryAfter?: unknown };
  // A mark that throws when it is read is none.
  if (readOf(() => marks.name) === "FatalError" || readOf(() => marks.fatal) === true) return { fatal: true };
  const at =
    readOf(() => (marks.retryAfter instanceof Date ? marks.retryAfter.getTime() : undefined)) ?? Number.NaN;
  return Number.isNaN(at) ? { fatal: false } : { fatal: false, retryAfter: at };
}

/** The retries a step function allows. Throws a TypeError for anything but an integer of at least 0. */
export function maxRetriesOf(step: { maxRetries?: unknown }): number {
  const { maxRetries = DEFAULT_MAX_RETRIES } = step;
  if (maxRetries === Infinity) return Number.MAX_SAFE_INTEGER;
  if (typeof maxRetries !== "number" || !Number.isInteger(maxRetries) || maxRetries < 0) {
    throw new TypeError(
      `maxRetries must be an integer of at least 0, or Infinity; it is ${String(maxRetries)}`,
    );
  }
  return maxRetries;
}

/** When the attempt after `attempt` (1-based) starts. */
export function nextAttemptAt(attempt: number, now: number, verdict: Verdict): number {
  if (verdict.retryAfter !== undefined) return Math.max(now, verdict.retryAfter);
  return now + Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (attempt - 1));
}

/** The message of the error a body gets when a step has used up its attempts. */
export function exhaustedMessage(stepId: string, attempts: number, last: string): string {
  const retries = attempts - 1;
  if (retries === 0) return `Step ${stepId} failed (no retries allowed): ${last}`;
  return `Step ${stepId} failed after ${retries} ${retries === 1 ? "retry" : "retries"}: ${last}`;
}
