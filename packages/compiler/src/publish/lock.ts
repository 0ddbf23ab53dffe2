import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { CompilerError, shownPath, systemCode } from "../build/compiler-error.js";

const WAIT_MS = 15_000;
/** A lock older than this was left by a process that is gone, whatever its number says now. */
const STALE_MS = 60_000;

/**
 * Runs `work` while no other process publishes to the same folder.
 * @throws CompilerError `OUTPUT_LOCKED` when another one holds the lock for 15 s, `OUTPUT_UNWRITABLE` when
 * the lock can't be made.
 */
export async function withPublishLock<T>(outDir: string, work: () => T): Promise<T> {
  const file = `${outDir}.lock`;
  const deadline = Date.now() + WAIT_MS;
  while (!take(file)) {
    if (isStale(file)) rmSync(file, { force: true });
    else if (Date.now() > deadline) {
      throw new CompilerError("OUTPUT_LOCKED", `Another build is publishing to ${shownPath(outDir)}.`, {
        help: `If no build is running, remove ${shownPath(file)}.`,
      });
    } else await delay(5 + Math.random() * 20);
  }
  try {
    return work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    mkdirSync(path.dirname(file), { recursive: true });
  } catch (error) {
    throw unwritable(path.dirname(file), error);
  }
  let handle: number;
  try {
    handle = openSync(file, "wx");
  } catch (error) {
    if (systemCode(error) === "EEXIST") return false;
    throw unwritable(path.dirname(file), error);
  }
  try {
    writeSync(handle, String(process.pid));
  } catch (error) {
    rmSync(file, { force: true }); // it is ours, and says nothing of whom to wait for
    throw unwritable(path.dirname(file), error);
  } finally {
    closeSync(handle);
  }
  return true;
}

function isStale(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (Date.now() - stats.mtimeMs > STALE_MS) return true;
  const owner = Number(readOwner(file));
  return Number.isInteger(owner) && owner > 0 && !isAlive(owner);
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return ""; // released in the meantime
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === "EPERM"; // it exists, and belongs to someone else
  }
}

/** A failure to write below a folder, as an error that says what to do. */
export function unwritable(dir: string, error: unknown): CompilerError {
  const code = systemCode(error) ?? String(error);
  const help =
    code === "ENOSPC"
      ? "The disk is full. Free some space and build again; the last output is unchanged."
      : "Check the permissions of this folder, or choose another one with --out.";
  return new CompilerError("OUTPUT_UNWRITABLE", `Can't write to ${shownPath(dir)}: ${code}.`, {
    cause: error,
    help,
  });
}
