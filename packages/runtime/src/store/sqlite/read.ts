import { StoreCorruptedError } from "../../errors/store.js";
import type { LogEntry, LogEvent } from "../../log/types.js";
import type { RunFilter, RunRow } from "../types.js";
import type { Bindable, SqliteDatabase, SqlRow, SqliteStatement } from "./driver.js";
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

/** Reads one log row; an unreadable event means that the file can't be trusted. */
export function toEntry(row: SqlRow, runId: string, file: string): LogEntry {
  const seq = Number(row.seq);
  try {
    return { seq, at: Number(row.at), event: JSON.parse(String(row.event)) as LogEvent };
  } catch (error) {
    throw new StoreCorruptedError(file, `entry ${seq} of run ${runId} is unreadable`, error);
  }
}

/** Reads a log and makes sure that it has no gap. */
export function toLog(rows: readonly SqlRow[], runId: string, file: string): LogEntry[] {
  return rows.map((row, index) => {
    const entry = toEntry(row, runId, file);
    if (entry.seq !== index) {
      throw new StoreCorruptedError(
        file,
        `the log of run ${runId} has entry ${entry.seq} where ${index} belongs`,
      );
    }
    return entry;
  });
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
