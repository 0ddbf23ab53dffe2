import path from "node:path";
import process from "node:process";
import { RuntimeError } from "./base.js";

/** A folder or file as a person names it: relative to where they are when it is below. */
function shown(file: string): string {
  const relative = path.relative(process.cwd(), file);
  const isBelow = relative !== "" && relative !== ".." && !relative.startsWith(`..${path.sep}`);
  return isBelow && !path.isAbsolute(relative) ? relative.replaceAll(path.sep, "/") : file;
}

/** Who holds a data folder, as its lock file says. */
export interface LockHolder {
  pid: number;
  host: string;
  /** ISO time. */
  startedAt: string;
  /** Where the holder listens, if it serves HTTP. */
  url?: string;
  /** What a command of the same user shows the holder to be let in (the lock file is readable by its owner only). */
  control?: string;
}

/** Another process owns the data folder. */
export class StoreLockedError extends RuntimeError {
  readonly code = "STORE_LOCKED";
  readonly holder: LockHolder | undefined;

  constructor(dir: string, holder: LockHolder | undefined) {
    const who = holder
      ? `process ${holder.pid} on ${holder.host}, running since ${holder.startedAt}${holder.url ? `, listening on ${holder.url}` : ""}`
      : "another process that has not said who it is";
    super(`The data folder ${shown(dir)} is in use by ${who}.`, { action: goOnHere(holder) });
    this.holder = holder;
  }
}

function goOnHere(holder: LockHolder | undefined): string {
  if (!holder)
    return "Wait a moment and try again; if it stays so, look for an eve command that still runs here.";
  const stop = `To go on here, stop process ${holder.pid} with Ctrl-C first: its runs are left waiting.`;
  if (holder.url === undefined) return stop;
  return `While it listens, \`eve runs answer\` and \`eve runs cancel\` reach its runs. ${stop}`;
}

/** The file is no database, or its pages contradict each other. */
export class StoreCorruptedError extends RuntimeError {
  readonly code = "STORE_CORRUPTED";

  constructor(file: string, reason: string, cause?: unknown) {
    super(`The database ${shown(file)} can't be trusted: ${reason}.`, {
      action: "Restore it from a backup, or move the data folder away to begin with an empty one.",
      cause,
    });
  }
}

/** A database of some other program. */
export class StoreForeignError extends RuntimeError {
  readonly code = "STORE_FOREIGN";

  constructor(file: string) {
    super(`The database ${shown(file)} was not written by eve.`, {
      action: "Choose another data folder; eve leaves this file untouched.",
    });
  }
}

/** Written by a newer version of eve. */
export class StoreTooNewError extends RuntimeError {
  readonly code = "STORE_TOO_NEW";

  constructor(file: string, found: number, known: number) {
    super(`The database ${shown(file)} has schema ${found}; this version of eve knows up to ${known}.`, {
      action: "Use the version of eve that wrote it, or a newer one.",
    });
  }
}

/** Written by an older version of eve, and opened for reading only. */
export class StoreOutdatedError extends RuntimeError {
  readonly code = "STORE_OUTDATED";

  constructor(file: string, found: number, known: number) {
    super(`The database ${shown(file)} has schema ${found}; this version of eve reads schema ${known}.`, {
      action: "Run `eve start` or `eve run` there once: the first of them brings it up to date.",
    });
  }
}

/** No database where a reading command expects one. */
export class StoreMissingError extends RuntimeError {
  readonly code = "STORE_MISSING";

  constructor(dir: string) {
    super(`There is no database in ${shown(dir)}.`, {
      action: "Start a run first (`eve run <tool>`), or name the app's folder with --dir.",
    });
  }
}

/** The disk is full. Nothing of the refused transaction was kept. */
export class StoreFullError extends RuntimeError {
  readonly code = "STORE_FULL";

  constructor(file: string, cause?: unknown) {
    super(`There is no space left to write ${shown(file)}; the change was not made.`, {
      action: "Free some disk space; what was stored before is intact.",
      cause,
    });
  }
}

/** The data folder can't be made, because a file stands where a folder belongs. */
export class StorePathError extends RuntimeError {
  readonly code = "STORE_PATH";

  constructor(dir: string, blocker: string, cause?: unknown) {
    super(`The data folder ${shown(dir)} can't be made: ${shown(blocker)} is a file.`, {
      action: "Move that file away.",
      cause,
    });
  }
}

/** The file that only serves as a lock is none any more. No run is affected. */
export class StoreLockDamagedError extends RuntimeError {
  readonly code = "STORE_LOCK_DAMAGED";

  constructor(file: string, cause?: unknown) {
    super(`The lock file ${shown(file)} is damaged. Only that file is: the runs are in another one.`, {
      action: "Make sure that no eve command works in this folder, then delete the lock file.",
      cause,
    });
  }
}

/** A folder that can't be written holds changes that can only be read where it can. */
export class StoreUnfinishedError extends RuntimeError {
  readonly code = "STORE_UNFINISHED";

  constructor(file: string, cause?: unknown) {
    super(
      `${shown(file)} can't be read: the process that wrote it didn't close it, and its folder can't be written.`,
      { action: "Make the folder writable, or read a copy of it in a folder that is.", cause },
    );
  }
}

/** The folder or file can't be written. */
export class StoreReadOnlyError extends RuntimeError {
  readonly code = "STORE_READ_ONLY";

  constructor(file: string, cause?: unknown) {
    super(`${shown(file)} can't be written.`, {
      action: "Check the permissions of the folder and its owner.",
      cause,
    });
  }
}

/** Reading or writing failed for a reason of the operating system. */
export class StoreIoError extends RuntimeError {
  readonly code = "STORE_IO";

  constructor(file: string, reason: string, cause?: unknown) {
    super(`Reading or writing ${shown(file)} failed: ${reason}.`, {
      action: "Check the disk and the permissions of the folder.",
      cause,
    });
  }
}

/** This process no longer owns the run: someone else took it over. Its work must be dropped. */
export class OwnershipLostError extends RuntimeError {
  readonly code = "OWNERSHIP_LOST";
  readonly runId: string;

  constructor(runId: string) {
    super(`Run ${runId} now belongs to another process.`);
    this.runId = runId;
  }
}

/** The store was closed, or opened for reading only. */
export class StoreClosedError extends RuntimeError {
  readonly code = "STORE_CLOSED";

  constructor(what: string) {
    super(`The store can't be ${what}.`);
  }
}

/** Another live hook has the token. Raised by a commit; the engine turns it into the body's hook conflict. */
export class HookTakenError extends RuntimeError {
  readonly code = "HOOK_TAKEN";
  readonly token: string;
  readonly owner: string;

  constructor(token: string, owner: string) {
    super(`The hook token ${JSON.stringify(token)} belongs to run ${owner}.`);
    this.token = token;
    this.owner = owner;
  }
}
