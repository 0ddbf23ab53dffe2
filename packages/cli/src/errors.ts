/** The statuses `eve` exits with (see `docs/cli.md`). */
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

/** What a person should read of any thrown value: a message, never a stack. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected value thrown: ${String(error)}`;
  // Errors of eve carry a code and a message written for people. Anything else is a fault of eve: say so.
  const { code } = error as { code?: unknown };
  if (typeof code === "string") return error.message;
  return `internal error: ${error.name}: ${error.message}\nThis is a fault in eve. Set EVE_DEBUG=1 to see where it happened, and report it.`;
}
