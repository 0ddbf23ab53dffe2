/** The statuses `eve` exits with (`docs/cli.md`). */
export const EXIT = {
  ok: 0,
  /** Findings of severity error, or a run that failed or was cancelled. */
  failed: 1,
  /** Wrong usage, or an error of eve itself. */
  usage: 2,
  /** Ctrl-C. */
  interrupted: 130,
} as const;

/** Wrong usage, or something the command needs and doesn't have. The message says what to do next. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "USAGE";
}

/** What a person should read of any thrown value: what happened and what to do next, never a stack. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `internal error: ${String(error)} was thrown`;
  // Errors of eve carry a code, a message written for people, and often the next action.
  const { code, action, help } = error as { code?: unknown; action?: unknown; help?: unknown };
  const next = [action, help].find((text) => typeof text === "string");
  if (typeof code === "string")
    return next === undefined ? error.message : `${error.message} ${String(next)}`;
  return `internal error: ${error.name}: ${error.message}\nThis is a fault in eve. Set EVE_DEBUG=1 to see where it happened, and report it.`;
}
