import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { systemClock, type Clock } from "../../clock/clock.js";
import { StoreIoError, StoreMissingError, StoreReadOnlyError } from "../../errors/store.js";
import { openDatabase, type SqliteDatabase } from "./driver.js";
import { translateSqliteError } from "./errors.js";
import { lockFolder, type FolderLock } from "./lock.js";
import { checkIdentity, migrate } from "./migrations.js";
import { SqliteStore } from "./store.js";

export interface OpenSqliteOptions {
  /** The data folder, usually `.eve/data`; made when it doesn't exist. */
  dir: string;
  /** For commands that only look: takes no lock, changes nothing. */
  readOnly?: boolean;
  clock?: Pick<Clock, "now">;
  /** The largest size of the database in pages of 4 KiB; beyond it writes fail as on a full disk. */
  maxPages?: number;
}

/** An opened SQLite store with what only this kind has. */
export interface OpenedSqlite {
  store: SqliteStore;
  /** Absent when opened for reading. */
  lock?: FolderLock;
}

const databaseFile = (dir: string) => path.join(dir, "eve.db");

function makeFolder(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EROFS" || code === "EPERM") throw new StoreReadOnlyError(dir, error);
    throw new StoreIoError(dir, message, error);
  }
}

/** WAL with FULL: a commit is on disk when it returns, and readers never wait for the writer. */
function configure(db: SqliteDatabase): void {
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON");
}

/** Each opening for writing gets the next number; writes of an earlier opening are refused by it. */
function nextEpoch(db: SqliteDatabase): number {
  db.exec("UPDATE meta SET value = value + 1 WHERE name = 'epoch'");
  return Number(db.prepare("SELECT value FROM meta WHERE name = 'epoch'").get()?.value);
}

/**
 * Opens the embedded store of a data folder.
 *
 * Errors: `STORE_LOCKED`, `STORE_CORRUPTED`, `STORE_FOREIGN`, `STORE_TOO_NEW`, `STORE_FULL`, `STORE_READ_ONLY`,
 * `STORE_IO`, and `STORE_MISSING` when opened for reading where there is nothing.
 *
 * ```ts
 * const { store, lock } = openSqliteStore({ dir: ".eve/data" });
 * ```
 */
export function openSqliteStore(options: OpenSqliteOptions): OpenedSqlite {
  const { dir } = options;
  const file = databaseFile(dir);
  return options.readOnly ? { store: openForReading(dir, file) } : openForWriting(dir, file, options);
}

function openForReading(dir: string, file: string): SqliteStore {
  if (!existsSync(file)) throw new StoreMissingError(dir);
  let db: SqliteDatabase | undefined;
  try {
    db = openDatabase(file, { readOnly: true });
    if (checkIdentity(db, file) === 0) throw new StoreMissingError(dir);
    return new SqliteStore(db, { file, epoch: 0, readOnly: true, release: () => undefined });
  } catch (error) {
    db?.close();
    throw translateSqliteError(error, file);
  }
}

function openForWriting(dir: string, file: string, options: OpenSqliteOptions): OpenedSqlite {
  const { clock = systemClock, maxPages } = options;
  makeFolder(dir);
  const lock = lockFolder(dir, clock.now());
  let db: SqliteDatabase | undefined;
  try {
    db = openDatabase(file);
    checkIdentity(db, file);
    configure(db);
    migrate(db, file);
    if (maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${Math.floor(maxPages)}`);
    const store = new SqliteStore(db, {
      file,
      epoch: nextEpoch(db),
      readOnly: false,
      release: () => lock.release(),
    });
    return { store, lock };
  } catch (error) {
    db?.close();
    lock.release();
    throw translateSqliteError(error, file);
  }
}
