/**
 * What every error of the runtime has in common: a stable `code` for programs, a message that says what
 * happened and where, and `action`, the next thing a person can do about it.
 */
export abstract class RuntimeError extends Error {
  abstract readonly code: string;
  readonly action: string | undefined;

  constructor(message: string, options: { action?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.action = options.action;
  }
}

/** The text a terminal shows for an error: its message and, where there is one, the next action. */
export function describeError(error: unknown): string {
  if (error instanceof RuntimeError) return error.action ? `${error.message} ${error.action}` : error.message;
  if (error instanceof Error) return error.message;
  return String(error);
}
