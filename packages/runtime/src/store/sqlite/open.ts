import { existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock, type Clock } from "../../clock/clock.js";
import {
  StoreCorruptedError,
  StoreMissingError,
  StoreOutdatedError,
  StorePathError,
  StoreUnfinishedError,
} from "../../errors/store.js";
import { openDatabase, type SqliteDatabase } from "./driver.js";
import { SQLITE, sqliteCode, translateFileError, translateSqliteError } from "./errors.js";
import { lockFolder, type FolderLock } from "./lock.js";
import { checkIdentity, migrate, SCHEMA_VERSION } from "./migrations.js";
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
    const { code } = error as NodeJS.ErrnoException;
    const blocker = code === "ENOTDIR" || code === "EEXIST" ? fileOnTheWay(dir) : undefined;
    throw blocker === undefined ? translateFileError(error, dir) : new StorePathError(dir, blocker, error);
  }
}

/** The part of a path that is a file where a folder is wanted. */
function fileOnTheWay(dir: string): string | undefined {
  for (let part = path.resolve(dir); ; part = path.dirname(part)) {
    if (existsSync(part)) return statSync(part).isDirectory() ? undefined : part;
    if (path.dirname(part) === part) return undefined;
  }
}

/** WAL with FULL: a commit is on disk when it returns, and readers never wait for the writer. */
export function configure(db: SqliteDatabase): void {
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
 * Errors: `STORE_LOCKED`, `STORE_LOCK_DAMAGED`, `STORE_CORRUPTED`, `STORE_FOREIGN`, `STORE_TOO_NEW`, `STORE_FULL`,
 * `STORE_READ_ONLY`, `STORE_PATH`, `STORE_IO`; when opened for reading also `STORE_MISSING` where there is nothing,
 * `STORE_OUTDATED` and `STORE_UNFINISHED`. For reading, the folder needn't be writable.
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
  refuseEmptied(dir, file);
  try {
    return readThrough(dir, file, file);
  } catch (error) {
    // Readers share an index of the write-ahead log, which SQLite makes beside the database where it is missing.
    const code = sqliteCode(error);
    if (code !== SQLITE.CANTOPEN && code !== SQLITE.READONLY) throw translateSqliteError(error, file);
    return readUntouched(dir, file, error);
  }
}

/** Reads a database whose folder can't be written, as the one file it is when no write-ahead log belongs to it. */
function readUntouched(dir: string, file: string, cause: unknown): SqliteStore {
  const log = `${file}-wal`;
  if (existsSync(log) && statSync(log).size > 0) throw new StoreUnfinishedError(file, cause);
  const address = pathToFileURL(file);
  address.searchParams.set("immutable", "1");
  try {
    return readThrough(dir, file, address);
  } catch (error) {
    throw translateSqliteError(error, file);
  }
}

function readThrough(dir: string, file: string, address: string | URL): SqliteStore {
  const db = openDatabase(address, { readOnly: true });
  try {
    const version = checkIdentity(db, file);
    if (version === 0) throw new StoreMissingError(dir);
    if (version < SCHEMA_VERSION) throw new StoreOutdatedError(file, version, SCHEMA_VERSION);
    return new SqliteStore(db, { file, epoch: 0, readOnly: true, release: () => undefined });
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * SQLite takes an empty file for a new database. It is one only where nothing has run yet: builds are kept for runs.
 * (A process that dies before its first transaction leaves an empty file, too.)
 */
function refuseEmptied(dir: string, file: string): void {
  const kept = path.join(dir, "builds");
  if (!existsSync(file) || statSync(file).size > 0 || !existsSync(kept) || readdirSync(kept).length === 0)
    return;
  const log = `${file}-wal`;
  if (existsSync(log) && statSync(log).size > 0) return;
  throw new StoreCorruptedError(file, "it is empty, but there have been runs");
}

function openForWriting(dir: string, file: string, options: OpenSqliteOptions): OpenedSqlite {
  const { clock = systemClock, maxPages } = options;
  makeFolder(dir);
  const lock = lockFolder(dir, clock.now());
  let db: SqliteDatabase | undefined;
  try {
    refuseEmptied(dir, file);
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
