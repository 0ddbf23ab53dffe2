import { HookTakenError } from "../../errors/store.js";
import { ENDED, type RunWrite } from "../types.js";
import type { Bindable, SqliteDatabase, SqliteStatement } from "./driver.js";
import { encodeEntries } from "./entries.js";

const SQL = {
  run: `INSERT INTO runs (run_id, workflow_id, build_id, status, created_at, ended_at, tool, parent_run_id, depth, target,
        number) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  number: "SELECT number FROM runs WHERE run_id = ?",
  lastNumber: "SELECT max(id) >> 32 AS number FROM log",
  entry: "INSERT INTO log (id, entries) VALUES (? << 32 | ?, ?)",
  status: "UPDATE runs SET status = ?, ended_at = ? WHERE run_id = ?",
  move: "UPDATE runs SET moved_to = ? WHERE run_id = ?",
  timer: "INSERT OR REPLACE INTO timers (run_id, key, due_at) VALUES (?, ?, ?)",
  clearTimer: "DELETE FROM timers WHERE run_id = ? AND key = ?",
  clearTimers: "DELETE FROM timers WHERE run_id = ?",
  hook: `INSERT INTO hooks (token, run_id, key, webhook, created_at, url, metadata, respond_with)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  hookOwner: "SELECT run_id FROM hooks WHERE token = ?",
  forgetDeliveries: "DELETE FROM deliveries WHERE token = ?",
  closeHook: "DELETE FROM hooks WHERE token = ? AND run_id = ?",
  forgetDeliveriesOfRun: "DELETE FROM deliveries WHERE token IN (SELECT token FROM hooks WHERE run_id = ?)",
  closeHooks: "DELETE FROM hooks WHERE run_id = ?",
  delivery: "INSERT OR IGNORE INTO deliveries (token, idempotency_key) VALUES (?, ?)",
  question: "INSERT INTO questions (request_id, run_id, key, request, created_at) VALUES (?, ?, ?, ?, ?)",
  closeQuestion: "DELETE FROM questions WHERE request_id = ?",
  closeQuestions: "DELETE FROM questions WHERE run_id = ?",
  message: "INSERT INTO outbox (id, target, run_id, kind, body) VALUES (?, ?, ?, ?, ?)",
  chunk: "INSERT INTO chunks (run_id, stream, idx, value) VALUES (?, ?, ?, ?)",
  closeStream: "INSERT OR IGNORE INTO closed_streams (run_id, stream) VALUES (?, ?)",
} as const;

type Statements = Record<keyof typeof SQL, SqliteStatement>;

const orNull = (value: Bindable | undefined): Bindable => value ?? null;

/** Applies one run's write inside an open transaction. Gives the run's number, where it had to be known. */
export interface Writer {
  (write: RunWrite): number | undefined;
  /** Adds entries only: one statement, which is a transaction by itself. */
  append(write: Pick<RunWrite, "runId" | "entries">): number | undefined;
}

/** Whether a write is nothing but new entries, as that of a sequential step is. */
export function onlyAppends(write: RunWrite): boolean {
  for (const part in write) if (part !== "runId" && part !== "epoch" && part !== "entries") return false;
  return write.entries.length > 0;
}

/**
 * Prepares the statements of `commit` once per connection. `knownNumber` tells the number of a run, which stands for it
 * in the keys of its log, when it needn't be looked up.
 */
export function createWriter(db: SqliteDatabase, knownNumber: (runId: string) => number | undefined): Writer {
  const s = Object.fromEntries(
    Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)]),
  ) as Statements;
  let lastNumber = Number(s.lastNumber.get()?.number ?? 0);
  const numberOf = (runId: string): number => {
    const known = knownNumber(runId);
    if (known !== undefined) return known;
    const row = s.number.get(runId);
    if (!row) throw new RangeError(`There is no run ${runId} to write to`);
    return Number(row.number);
  };
  const append = ({ runId, entries }: Pick<RunWrite, "runId" | "entries">, created?: number) => {
    const [first] = entries;
    if (!first) return undefined;
    const number = created ?? numberOf(runId);
    // With `get`, which makes no object of the number of changes as `run` does: that takes longer than the insertion.
    s.entry.get(number, first.seq, encodeEntries(entries));
    return number;
  };
  const apply = (write: RunWrite): number | undefined => {
    const { runId } = write;
    if (write.create) {
      const { create } = write;
      lastNumber += 1;
      s.run.run(
        runId,
        create.workflowId,
        create.buildId,
        create.status,
        create.createdAt,
        orNull(create.endedAt),
        orNull(create.tool),
        orNull(create.parentRunId),
        create.depth,
        orNull(create.target),
        lastNumber,
      );
    }
    const number = append(write, write.create && lastNumber);
    if (write.movedTo !== undefined) s.move.run(write.movedTo, runId);
    for (const key of write.clearTimers ?? []) s.clearTimer.run(runId, key);
    for (const timer of write.setTimers ?? []) s.timer.run(runId, timer.key, timer.dueAt);
    for (const token of write.closeHooks ?? []) {
      s.forgetDeliveries.run(token);
      s.closeHook.run(token, runId);
    }
    for (const hook of write.openHooks ?? []) {
      const owner = s.hookOwner.get(hook.token)?.run_id;
      if (owner !== undefined) throw new HookTakenError(hook.token, String(owner));
      s.hook.run(
        hook.token,
        runId,
        hook.key,
        hook.webhook ? 1 : 0,
        hook.createdAt,
        orNull(hook.url),
        orNull(hook.metadata),
        orNull(hook.respondWith),
      );
    }
    for (const { token, idempotencyKey } of write.deliveries ?? []) s.delivery.run(token, idempotencyKey);
    for (const requestId of write.closeQuestions ?? []) s.closeQuestion.run(requestId);
    for (const q of write.openQuestions ?? [])
      s.question.run(q.requestId, runId, q.key, q.request, q.createdAt);
    for (const m of write.outbox ?? []) s.message.run(m.id, m.target, m.runId, m.kind, m.body);
    for (const chunk of write.chunks ?? []) s.chunk.run(runId, chunk.stream, chunk.index, chunk.value);
    for (const stream of write.closeStreams ?? []) s.closeStream.run(runId, stream);
    if (write.status) {
      s.status.run(write.status, orNull(write.endedAt), runId);
      if (ENDED.has(write.status)) {
        s.clearTimers.run(runId);
        s.forgetDeliveriesOfRun.run(runId);
        s.closeHooks.run(runId);
        s.closeQuestions.run(runId);
      }
    }
    return number;
  };
  return Object.assign(apply, { append });
}
