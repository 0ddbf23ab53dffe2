import path from "node:path";

/** Why a compiler call could not do its work at all (findings in the author's code are diagnostics instead). */
export type CompilerErrorCode =
  | "NO_APP_ROOT"
  | "BAD_OPTION"
  | "SDK_NOT_FOUND"
  | "UNREADABLE_FILE"
  | "OUTPUT_UNWRITABLE"
  | "OUTPUT_LOCKED"
  | "BAD_IDS_LOCK"
  | "BAD_BASELINE"
  | "INTERNAL";

/**
 * Thrown by `build`, `check`, `watch` and their helpers when there is nothing to report on: no application,
 * an unknown option, an output folder that can't be written. `message` holds place and reason, `help` the next
 * action.
 */
export class CompilerError extends Error {
  override readonly name = "CompilerError";
  readonly code: CompilerErrorCode;
  readonly help: string | undefined;

  constructor(code: CompilerErrorCode, message: string, options: { help?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.help = options.help;
  }
}

/** A path as messages show it: relative to the current folder when it lies there, `/` between its parts. */
export function shownPath(file: string): string {
  const relative = path.relative(process.cwd(), file);
  if (relative === "") return ".";
  const isBelow = relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
  return isBelow ? relative.split(path.sep).join("/") : path.resolve(file);
}

/** The `code` of a Node.js system error, or `undefined` for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
