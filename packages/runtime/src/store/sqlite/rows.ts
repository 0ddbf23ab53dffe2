import type { RunStatus } from "../../log/types.js";
import type { HookRow, OutboxKind, QuestionRow, RunRow, StoredMessage, TimerRow } from "../types.js";
import type { SqlRow } from "./driver.js";

const text = (row: SqlRow, name: string): string => String(row[name]);
const number = (row: SqlRow, name: string): number => Number(row[name]);

function optional<K extends string, V>(
  key: K,
  value: SqlRow[string] | undefined,
  read: (v: SqlRow[string]) => V,
) {
  return (value === null || value === undefined ? {} : { [key]: read(value) }) as Partial<Record<K, V>>;
}

export function toRun(row: SqlRow): RunRow {
  return {
    runId: text(row, "run_id"),
    workflowId: text(row, "workflow_id"),
    buildId: text(row, "build_id"),
    status: text(row, "status") as RunStatus,
    createdAt: number(row, "created_at"),
    depth: number(row, "depth"),
    ...optional("movedTo", row.moved_to, String),
    ...optional("endedAt", row.ended_at, Number),
    ...optional("tool", row.tool, String),
    ...optional("parentRunId", row.parent_run_id, String),
    ...optional("target", row.target, String),
  };
}

export function toTimer(row: SqlRow): TimerRow {
  return { runId: text(row, "run_id"), key: text(row, "key"), dueAt: number(row, "due_at") };
}

export function toHook(row: SqlRow): HookRow {
  return {
    token: text(row, "token"),
    runId: text(row, "run_id"),
    key: text(row, "key"),
    webhook: number(row, "webhook") === 1,
    createdAt: number(row, "created_at"),
    ...optional("url", row.url, String),
    ...optional("metadata", row.metadata, String),
    ...optional("respondWith", row.respond_with, String),
  };
}

export function toQuestion(row: SqlRow): QuestionRow {
  return {
    requestId: text(row, "request_id"),
    runId: text(row, "run_id"),
    key: text(row, "key"),
    request: text(row, "request"),
    createdAt: number(row, "created_at"),
  };
}

export function toMessage(row: SqlRow): StoredMessage {
  return {
    position: number(row, "position"),
    id: text(row, "id"),
    target: text(row, "target"),
    runId: text(row, "run_id"),
    kind: text(row, "kind") as OutboxKind,
    body: text(row, "body"),
  };
}
