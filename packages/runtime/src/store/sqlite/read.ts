import { StoreCorruptedError } from "../../errors/store.js";
import type { LogEntry } from "../../log/types.js";
import type { RunFilter, RunRow } from "../types.js";
import type { Bindable, SqliteDatabase, SqlRow, SqliteStatement } from "./driver.js";
import { decodeEntries } from "./entries.js";
import { toRun } from "./rows.js";

/** Prepares each text once. */
export function statementCache(db: SqliteDatabase): (sql: string) => SqliteStatement {
  const cache = new Map<string, SqliteStatement>();
  return (sql) => {
    let statement = cache.get(sql);
    if (!statement) cache.set(sql, (statement = db.prepare(sql)));
    return statement;
  };
}

/** Entries of one row; an unreadable row means that the file can't be trusted. */
export function entriesOf(row: SqlRow, runId: string, file: string): LogEntry[] {
  const seq = Number(row.seq);
  try {
    return decodeEntries(seq, String(row.entries));
  } catch (error) {
    throw new StoreCorruptedError(file, `entry ${seq} of run ${runId} is unreadable`, error);
  }
}

/** Reads a log and makes sure that it has no gap. */
export function toLog(rows: readonly SqlRow[], runId: string, file: string): LogEntry[] {
  const log: LogEntry[] = [];
  for (const row of rows) {
    const seq = Number(row.seq);
    if (seq !== log.length) {
      throw new StoreCorruptedError(
        file,
        `the log of run ${runId} has entry ${seq} where ${log.length} belongs`,
      );
    }
    for (const entry of entriesOf(row, runId, file)) log.push(entry);
  }
  return log;
}

/** Lists runs, newest first. */
export function selectRuns(prepare: (sql: string) => SqliteStatement, filter: RunFilter): RunRow[] {
  const where: string[] = [];
  const values: Bindable[] = [];
  if (filter.status) {
    where.push(`status IN (${filter.status.map(() => "?").join(", ")})`);
    values.push(...filter.status);
  }
  if (filter.parentRunId !== undefined) {
    where.push("parent_run_id = ?");
    values.push(filter.parentRunId);
  }
  if (filter.before !== undefined) {
    where.push("(created_at, run_id) < (SELECT created_at, run_id FROM runs WHERE run_id = ?)");
    values.push(filter.before);
  }
  const condition = where.length > 0 ? `WHERE ${where.join(" AND ")}` : "";
  const sql = `SELECT * FROM runs ${condition} ORDER BY created_at DESC, run_id DESC LIMIT ?`;
  return prepare(sql)
    .all(...values, filter.limit ?? -1)
    .map(toRun);
}
