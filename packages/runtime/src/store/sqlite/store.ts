import { OwnershipLostError, StoreClosedError, StoreCorruptedError } from "../../errors/store.js";
import type { LogEntry } from "../../log/types.js";
import { ENDED } from "../types.js";
import type { HookRow, QuestionRow, RunFilter, RunRow, RunWrite, Store, TimerRow } from "../types.js";
import type { StoredMessage, StreamChunk, StreamState } from "../types.js";
import type { Bindable, SqliteDatabase, SqliteStatement } from "./driver.js";
import { SQLITE, sqliteCode, translateSqliteError } from "./errors.js";
import { entriesOf, selectRuns, statementCache, toLog } from "./read.js";
import { toHook, toMessage, toQuestion, toRun, toTimer } from "./rows.js";
import { createWriter, onlyAppends, type Writer } from "./write.js";

/** Statuses in which a run still needs its build. */
const LIVE = "('running', 'waiting', 'stalled')";

/** The rows of a run's log; see `migrations.ts` for their keys. */
const LOG = `WITH run AS (SELECT number << 32 AS first FROM runs WHERE run_id = ?)
  SELECT id & 0xffffffff AS seq, entries FROM log, run WHERE id BETWEEN first AND first | 0xffffffff`;

/** The store on one SQLite file, which one process at a time may write. See `openSqliteStore`. */
export class SqliteStore implements Store {
  readonly readOnly: boolean;
  readonly #file: string;
  readonly #epoch: number;
  readonly #release: () => void;
  readonly #prepare: (sql: string) => SqliteStatement;
  readonly #write: Writer | undefined;
  /** Number and next entry of runs that were written since the store was opened and haven't ended. */
  readonly #heads = new Map<string, { number: number; next: number }>();
  // Kept as a field: the driver closes a connection that nothing refers to.
  #db: SqliteDatabase | undefined;

  constructor(
    db: SqliteDatabase,
    options: { file: string; epoch: number; readOnly: boolean; release(): void },
  ) {
    this.#db = db;
    this.#file = options.file;
    this.#epoch = options.epoch;
    this.#release = options.release;
    this.readOnly = options.readOnly;
    this.#prepare = statementCache(db);
    this.#write = options.readOnly ? undefined : createWriter(db, (runId) => this.#heads.get(runId)?.number);
  }

  /** The folder's lock admits one writer, so every run belongs to whoever opened it last. */
  async claim(_runId: string): Promise<number> {
    this.#writer();
    return this.#epoch;
  }

  commit(writes: readonly RunWrite[]): undefined {
    const write = this.#writer();
    for (const { epoch, runId } of writes) if (epoch !== this.#epoch) throw new OwnershipLostError(runId);
    for (const one of writes) this.#checkContinues(one);
    const numbers = this.#apply(write, writes);
    for (const [index, { runId, entries, status }] of writes.entries()) {
      const [number, last] = [numbers[index], entries.at(-1)];
      if (status && ENDED.has(status)) this.#heads.delete(runId);
      else if (last && number !== undefined) this.#heads.set(runId, { number, next: last.seq + 1 });
    }
  }

  #apply(write: Writer, writes: readonly RunWrite[]): (number | undefined)[] {
    const [only, ...others] = writes;
    if (only && others.length === 0 && onlyAppends(only)) return [this.#read(() => write.append(only))];
    let numbers: (number | undefined)[] = [];
    this.#transaction(() => {
      numbers = writes.map((one) => write(one));
    });
    return numbers;
  }

  /** A row spans several entries, so its key alone doesn't show that two of them overlap. */
  #checkContinues({ runId, entries }: RunWrite): void {
    const [first] = entries;
    const next = this.#heads.get(runId)?.next;
    if (!first || next === undefined || next === first.seq) return;
    throw new RangeError(`The log of run ${runId} goes on with entry ${next}, not ${first.seq}`);
  }

  async run(runId: string): Promise<RunRow | undefined> {
    const row = this.#get("SELECT * FROM runs WHERE run_id = ?", runId);
    return row && toRun(row);
  }

  async runs(filter: RunFilter = {}): Promise<RunRow[]> {
    return this.#read(() => selectRuns(this.#prepare, filter));
  }

  async log(runId: string): Promise<LogEntry[]> {
    const log = toLog(this.#all(`${LOG} ORDER BY id`, runId), runId, this.#file);
    // A run and its first entry are written together.
    if (log.length === 0 && (await this.run(runId)))
      throw new StoreCorruptedError(this.#file, `the log of run ${runId} is gone`);
    return log;
  }

  async lastEntry(runId: string): Promise<LogEntry | undefined> {
    const row = this.#get(`${LOG} ORDER BY id DESC LIMIT 1`, runId);
    return row && entriesOf(row, runId, this.#file).at(-1);
  }

  async dueTimers(now: number, limit: number): Promise<TimerRow[]> {
    const sql = "SELECT * FROM timers WHERE due_at <= ? ORDER BY due_at, run_id, key LIMIT ?";
    return this.#all(sql, now, limit).map(toTimer);
  }

  async nextDue(after: number): Promise<number | undefined> {
    const due = this.#get("SELECT min(due_at) AS due FROM timers WHERE due_at > ?", after)?.due;
    return due === null || due === undefined ? undefined : Number(due);
  }

  async hook(token: string): Promise<HookRow | undefined> {
    const row = this.#get("SELECT * FROM hooks WHERE token = ?", token);
    return row && toHook(row);
  }

  async hooks(runId?: string): Promise<HookRow[]> {
    const order = "ORDER BY created_at, run_id, key";
    const rows =
      runId === undefined
        ? this.#all(`SELECT * FROM hooks ${order}`)
        : this.#all(`SELECT * FROM hooks WHERE run_id = ? ${order}`, runId);
    return rows.map(toHook);
  }

  async delivered(token: string, idempotencyKey: string): Promise<boolean> {
    const sql = "SELECT 1 AS yes FROM deliveries WHERE token = ? AND idempotency_key = ?";
    return this.#get(sql, token, idempotencyKey) !== undefined;
  }

  async questions(runId?: string): Promise<QuestionRow[]> {
    const order = "ORDER BY created_at, length(request_id), request_id";
    const rows =
      runId === undefined
        ? this.#all(`SELECT * FROM questions ${order}`)
        : this.#all(`SELECT * FROM questions WHERE run_id = ? ${order}`, runId);
    return rows.map(toQuestion);
  }

  async question(requestId: string): Promise<QuestionRow | undefined> {
    const row = this.#get("SELECT * FROM questions WHERE request_id = ?", requestId);
    return row && toQuestion(row);
  }

  async messages(target: string, limit: number): Promise<StoredMessage[]> {
    return this.#all("SELECT * FROM outbox WHERE target = ? ORDER BY position LIMIT ?", target, limit).map(
      toMessage,
    );
  }

  async acknowledge(target: string, position: number): Promise<void> {
    this.#writer();
    this.#transaction(() => {
      this.#prepare("DELETE FROM outbox WHERE target = ? AND position <= ?").run(target, position);
    });
  }

  async chunks(runId: string, stream: string, from: number, limit: number): Promise<StreamChunk[]> {
    const sql =
      "SELECT idx, value FROM chunks WHERE run_id = ? AND stream = ? AND idx >= ? ORDER BY idx LIMIT ?";
    return this.#all(sql, runId, stream, from, limit).map((row) => ({
      stream,
      index: Number(row.idx),
      value: String(row.value),
    }));
  }

  async streamState(runId: string, stream: string): Promise<StreamState> {
    const last = this.#get(
      "SELECT max(idx) AS last FROM chunks WHERE run_id = ? AND stream = ?",
      runId,
      stream,
    )?.last;
    const closed = this.#get(
      "SELECT 1 AS yes FROM closed_streams WHERE run_id = ? AND stream = ?",
      runId,
      stream,
    );
    return {
      length: last === null || last === undefined ? 0 : Number(last) + 1,
      closed: closed !== undefined,
    };
  }

  async buildsInUse(): Promise<string[]> {
    const sql = `SELECT build_id FROM runs WHERE status IN ${LIVE} UNION
      SELECT moved_to FROM runs WHERE status IN ${LIVE} AND moved_to IS NOT NULL ORDER BY build_id`;
    return this.#all(sql).map((row) => String(row.build_id));
  }

  async close(): Promise<void> {
    const db = this.#db;
    if (!db) return;
    this.#db = undefined;
    this.#read(() => {
      // Readers then need no write-ahead log, and the folder can be copied as it is.
      if (!this.readOnly) db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      db.close();
    });
    this.#release();
  }

  #writer(): Writer {
    if (!this.#db) throw new StoreClosedError("used: it was closed");
    if (!this.#write) throw new StoreClosedError("changed: it was opened for reading");
    return this.#write;
  }

  #get(sql: string, ...values: Bindable[]) {
    return this.#read(() => this.#prepare(sql).get(...values));
  }

  #all(sql: string, ...values: Bindable[]) {
    return this.#read(() => this.#prepare(sql).all(...values));
  }

  #read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw translateSqliteError(error, this.#file);
    }
  }

  #transaction(work: () => void): void {
    this.#read(() => {
      this.#prepare("BEGIN IMMEDIATE").run();
      try {
        work();
        this.#prepare("COMMIT").run();
      } catch (error) {
        this.#rollback();
        throw error;
      }
    });
  }

  #rollback(): void {
    try {
      this.#prepare("ROLLBACK").run();
    } catch (error) {
      // A full disk makes SQLite roll back by itself; "no transaction is active" then is what we want.
      if (sqliteCode(error) !== SQLITE.ERROR) throw error;
    }
  }
}
