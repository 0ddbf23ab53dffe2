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
  const { code, action, help, syscall } = error as Partial<
    Record<"code" | "action" | "help" | "syscall", unknown>
  >;
  if (typeof syscall === "string" && typeof code === "string")
    return systemMessage(error as NodeJS.ErrnoException);
  // Errors of eve carry a code, a message written for people, and often the next action.
  const next = [action, help].find((text) => typeof text === "string");
  if (typeof code === "string")
    return next === undefined ? error.message : `${error.message} ${String(next)}`;
  return `internal error: ${error.name}: ${error.message}\nThis is a fault in eve. Set EVE_DEBUG=1 to see where it happened, and report it.`;
}

const REASONS: Record<string, string> = {
  EACCES: "permission is denied. Check who owns it",
  EPERM: "permission is denied. Check who owns it",
  EROFS: "the file system is read-only. Use a folder that can be written",
  ENOSPC: "the disk is full. Free some space and try again; nothing that was acknowledged is lost",
  EDQUOT: "the disk quota is used up. Free some space and try again; nothing that was acknowledged is lost",
  ENOTDIR: "a part of this path is a file. Move it away",
  EISDIR: "this is a folder",
  ENOENT: "it doesn't exist",
  EMFILE: "too many files are open. Raise the limit (ulimit -n)",
};

function systemMessage({ code = "", path, syscall }: NodeJS.ErrnoException): string {
  const where = path === undefined ? "the file system" : path;
  return `${where}: ${REASONS[code] ?? `${syscall ?? "the system"} failed`} (${code}).`;
}
