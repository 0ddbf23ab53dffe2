import { ERRORS } from "../symbols.js";
import { durationMs, type Duration } from "./duration.js";

/** Thrown in a step: the step fails at once, without another attempt. */
export class FatalError extends Error {
  override name = "FatalError";
  readonly fatal = true;

  /** True for a FatalError of any realm or copy of this module. */
  static is(value: unknown): value is FatalError {
    return isNamed(value, "FatalError");
  }
}

export interface RetryableErrorOptions extends ErrorOptions {
  /** Milliseconds, a duration such as `"30s"`, or the moment of the next attempt. Default: one second. */
  retryAfter?: Duration | Date;
}

/** Thrown in a step: the next attempt starts no earlier than `retryAfter`. It still uses one of the attempts. */
export class RetryableError extends Error {
  override name = "RetryableError";
  readonly retryAfter: Date;

  /** @throws TypeError when `retryAfter` is no duration and no valid date. */
  constructor(message?: string, options: RetryableErrorOptions = {}) {
    const { retryAfter = 1000, ...rest } = options;
    super(message, rest);
    this.retryAfter = retryAfter instanceof Date ? retryAfter : new Date(Date.now() + durationMs(retryAfter));
    if (Number.isNaN(this.retryAfter.getTime())) throw new TypeError("retryAfter is an invalid Date.");
  }

  static is(value: unknown): value is RetryableError {
    return isNamed(value, "RetryableError");
  }
}

/** Rejects in a body when a step used up its attempts. `cause` is the last attempt's error. */
export class StepError extends Error {
  override name = "StepError";
  readonly stepId!: string;
  readonly attempts!: number;

  constructor(message: string, details: { stepId: string; attempts: number; cause?: unknown }) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    Object.assign(this, { stepId: details.stepId, attempts: details.attempts });
  }

  static is(value: unknown): value is StepError {
    return isNamed(value, "StepError");
  }
}

/** Rejects `await hook` when another live hook owns the token. */
export class HookConflictError extends Error {
  override name = "HookConflictError";
  readonly token!: string;
  readonly conflictingRunId?: string;

  constructor(token: string, conflictingRunId?: string) {
    super(
      `The hook token ${JSON.stringify(token)} is in use by ${conflictingRunId ? `run ${conflictingRunId}` : "another run"}.`,
    );
    Object.assign(this, { token, ...(conflictingRunId === undefined ? {} : { conflictingRunId }) });
  }

  static is(value: unknown): value is HookConflictError {
    return isNamed(value, "HookConflictError");
  }
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && (value as { name?: unknown }).name === name;
}

// Values that cross a durable boundary are revived by code that doesn't import this module: it finds the
// classes here, so that `error instanceof FatalError` holds in the author's code.
const registry = ((globalThis as Record<PropertyKey, unknown>)[ERRORS] ??= {}) as Record<string, unknown>;
Object.assign(registry, { FatalError, RetryableError, StepError, HookConflictError });
