import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { StoreLockDamagedError, StoreLockedError, type LockHolder } from "../../errors/store.js";
import { openDatabase } from "./driver.js";
import { SQLITE, sqliteCode, translateFileError, translateSqliteError } from "./errors.js";

/** Exclusive ownership of a data folder. */
export interface FolderLock {
  readonly holder: LockHolder;
  /** Tells other commands of this user where this process listens and what lets them in. */
  setAddress(address: { url: string; control: string } | undefined): void;
  release(): void;
}

const describeFile = (dir: string) => path.join(dir, "lock.json");

/** Who says to hold the folder. The text is only information: the lock itself is the open transaction. */
export function readLockHolder(dir: string): LockHolder | undefined {
  let text: string;
  try {
    text = readFileSync(describeFile(dir), "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Only the holder's user may read it: another user learns nothing of the holder.
    if (code === "ENOENT" || code === "EACCES") return undefined;
    throw translateFileError(error, describeFile(dir));
  }
  try {
    const { pid, host, startedAt, url, control } = JSON.parse(text) as Partial<LockHolder>;
    if (typeof pid !== "number" || typeof host !== "string" || typeof startedAt !== "string")
      return undefined;
    return {
      pid,
      host,
      startedAt,
      ...(typeof url === "string" ? { url } : {}),
      ...(typeof control === "string" ? { control } : {}),
    };
  } catch (error) {
    // A file that doesn't parse names nobody; the transaction still tells whether the folder is taken.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function writeHolder(dir: string, holder: LockHolder): void {
  // Only the holder writes here, so one name serves all: what a killed process left is written over.
  const temporary = `${describeFile(dir)}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
    renameSync(temporary, describeFile(dir));
  } catch (error) {
    throw translateFileError(error, describeFile(dir));
  }
}

/**
 * Takes the folder for this process: an exclusive transaction on `lock.db`, which the operating system ends
 * with the process, however that dies. Throws `StoreLockedError`, `StoreLockDamagedError` and errors of the file system.
 */
export function lockFolder(dir: string, startedAt: number): FolderLock {
  const file = path.join(dir, "lock.db");
  let db;
  try {
    db = openDatabase(file);
    db.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    const code = sqliteCode(error);
    if (code === SQLITE.BUSY || code === SQLITE.LOCKED) throw new StoreLockedError(dir, readLockHolder(dir));
    throw lockError(error, file);
  }
  let holder: LockHolder = {
    pid: process.pid,
    host: os.hostname(),
    startedAt: new Date(startedAt).toISOString(),
  };
  const held = db;
  try {
    writeHolder(dir, holder);
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    get holder() {
      return holder;
    },
    setAddress(address) {
      const { pid, host, startedAt } = holder;
      holder = { pid, host, startedAt, ...address };
      writeHolder(dir, holder);
    },
    release() {
      try {
        rmSync(describeFile(dir), { force: true });
      } catch (error) {
        throw translateFileError(error, describeFile(dir));
      } finally {
        held.exec("ROLLBACK");
        held.close();
      }
    },
  };
}

function lockError(error: unknown, file: string): unknown {
  const code = sqliteCode(error);
  return code === SQLITE.NOTADB || code === SQLITE.CORRUPT
    ? new StoreLockDamagedError(file, error)
    : translateSqliteError(error, file);
}

/** True while some process holds the folder. Works where the folder can't be written, too. */
export function isFolderLocked(dir: string): boolean {
  const file = path.join(dir, "lock.db");
  if (!existsSync(file)) return false;
  let db;
  try {
    // The holder's exclusive transaction keeps readers out as well, so this changes nothing.
    db = openDatabase(file, { readOnly: true });
    db.exec("PRAGMA busy_timeout = 0");
    db.prepare("SELECT count(*) AS n FROM sqlite_master").get();
    return false;
  } catch (error) {
    const code = sqliteCode(error);
    if (code === SQLITE.BUSY || code === SQLITE.LOCKED) return true;
    throw lockError(error, file);
  } finally {
    db?.close();
  }
}
