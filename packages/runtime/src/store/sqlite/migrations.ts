import { StoreForeignError, StoreTooNewError } from "../../errors/store.js";
import type { SqliteDatabase } from "./driver.js";

/** "eve1": marks the file as ours, so that another program's database is never migrated by mistake. */
export const APPLICATION_ID = 0x65766531;

/**
 * One entry per schema version, applied in order. Entries are never edited: a change is a new one.
 *
 * `log` holds one row per run and transaction, whose `id` is the run's number and the seq of its first entry (32 bits
 * each): an append is one row in one page, and a replay reads one range. As the keys are integers, SQLite appends at the
 * end of the table without moving rows of the pages before, which an index of (run, seq) would make it do: a sequential
 * step wrote 1.8 pages with that, and writes 1.1. `entries.ts` has the form of `entries`.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('epoch', 0);

  CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    workflow_id TEXT NOT NULL,
    build_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    tool TEXT,
    parent_run_id TEXT,
    depth INTEGER NOT NULL,
    target TEXT
  ) WITHOUT ROWID;
  CREATE INDEX runs_by_status ON runs (status, created_at DESC, run_id DESC);
  CREATE INDEX runs_by_time ON runs (created_at DESC, run_id DESC);
  CREATE INDEX runs_by_parent ON runs (parent_run_id) WHERE parent_run_id IS NOT NULL;

  CREATE TABLE log (
    run_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
  ) WITHOUT ROWID;

  CREATE TABLE timers (
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    PRIMARY KEY (run_id, key)
  ) WITHOUT ROWID;
  CREATE INDEX timers_by_due ON timers (due_at, run_id, key);

  CREATE TABLE hooks (
    token TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    webhook INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    url TEXT,
    metadata TEXT,
    respond_with TEXT
  ) WITHOUT ROWID;
  CREATE INDEX hooks_by_run ON hooks (run_id, key);

  CREATE TABLE deliveries (
    token TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    PRIMARY KEY (token, idempotency_key)
  ) WITHOUT ROWID;

  CREATE TABLE questions (
    request_id TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    request TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX questions_by_run ON questions (run_id, created_at, request_id);

  CREATE TABLE outbox (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    target TEXT NOT NULL,
    run_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX outbox_by_target ON outbox (target, position);

  CREATE TABLE chunks (
    run_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    idx INTEGER NOT NULL,
    value TEXT NOT NULL,
    PRIMARY KEY (run_id, stream, idx)
  ) WITHOUT ROWID;

  CREATE TABLE closed_streams (
    run_id TEXT NOT NULL,
    stream TEXT NOT NULL,
    PRIMARY KEY (run_id, stream)
  ) WITHOUT ROWID;
  `,
  `
  ALTER TABLE runs ADD COLUMN moved_to TEXT;
  ALTER TABLE runs ADD COLUMN number INTEGER;
  UPDATE runs SET number = numbered.number
    FROM (SELECT run_id, row_number() OVER (ORDER BY created_at, run_id) AS number FROM runs) AS numbered
    WHERE numbered.run_id = runs.run_id;
  ALTER TABLE log RENAME TO log_by_run;
  CREATE TABLE log (id INTEGER PRIMARY KEY, entries TEXT NOT NULL);
  INSERT INTO log SELECT number << 32 | seq, entries FROM log_by_run JOIN runs USING (run_id) ORDER BY number, seq;
  DROP TABLE log_by_run;
  `,
];

/** The schema this version writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

function pragma(db: SqliteDatabase, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

/**
 * Makes sure that the file is ours and not of a newer version; gives its schema version (0: empty).
 * Throws `StoreForeignError`, `StoreTooNewError`.
 */
export function checkIdentity(db: SqliteDatabase, file: string): number {
  const tables = Number(db.prepare("SELECT count(*) AS n FROM sqlite_master").get()?.n ?? 0);
  const id = pragma(db, "application_id");
  const version = pragma(db, "user_version");
  if (id !== APPLICATION_ID && (tables > 0 || id !== 0)) throw new StoreForeignError(file);
  if (version > SCHEMA_VERSION) throw new StoreTooNewError(file, version, SCHEMA_VERSION);
  return version;
}

/** Brings the schema up to date (or to version `upTo`), one transaction per version. */
export function migrate(db: SqliteDatabase, file: string, upTo = SCHEMA_VERSION): void {
  const present = checkIdentity(db, file);
  for (let version = present; version < upTo; version += 1) {
    db.exec(
      `BEGIN IMMEDIATE; ${MIGRATIONS[version]} PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}; COMMIT;`,
    );
  }
}
