import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { StoreLockedError, type LockHolder } from "../../errors/store.js";
import { openDatabase } from "./driver.js";
import { SQLITE, sqliteCode, translateSqliteError } from "./errors.js";

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
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
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
  const temporary = `${describeFile(dir)}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(holder)}\n`, { mode: 0o600 });
  renameSync(temporary, describeFile(dir));
}

/**
 * Takes the folder for this process: an exclusive transaction on `lock.db`, which the operating system ends
 * with the process, however that dies. Throws `StoreLockedError`.
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
    throw translateSqliteError(error, file);
  }
  let holder: LockHolder = {
    pid: process.pid,
    host: os.hostname(),
    startedAt: new Date(startedAt).toISOString(),
  };
  writeHolder(dir, holder);
  const held = db;
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
      rmSync(describeFile(dir), { force: true });
      held.exec("ROLLBACK");
      held.close();
    },
  };
}

/** True while some process holds the folder. */
export function isFolderLocked(dir: string): boolean {
  const file = path.join(dir, "lock.db");
  let db;
  try {
    db = openDatabase(file);
    db.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE; ROLLBACK");
    return false;
  } catch (error) {
    const code = sqliteCode(error);
    if (code === SQLITE.BUSY || code === SQLITE.LOCKED) return true;
    throw translateSqliteError(error, file);
  } finally {
    db?.close();
  }
}
