import type { LogEntry, RunStatus } from "../log/types.js";
import type { HookRow, OutboxMessage, QuestionRow, RunRow, RunWrite, StreamChunk } from "../store/types.js";

/** What one run changes in the transaction that is being put together. */
export interface Draft {
  runId: string;
  epoch: number;
  entries: LogEntry[];
  create?: RunRow;
  status?: RunStatus;
  endedAt?: number;
  setTimers: { key: string; dueAt: number }[];
  clearTimers: string[];
  openHooks: Omit<HookRow, "runId">[];
  closeHooks: { key: string; token: string }[];
  openQuestions: Omit<QuestionRow, "runId">[];
  closeQuestions: string[];
  outbox: OutboxMessage[];
  chunks: StreamChunk[];
  closeStreams: string[];
  deliveries: { token: string; idempotencyKey: string }[];
}

/** Whether the draft holds nothing but entries, as that of a sequential step does. */
function isPlain(draft: Draft): boolean {
  return (
    draft.create === undefined &&
    draft.status === undefined &&
    draft.setTimers.length === 0 &&
    draft.clearTimers.length === 0 &&
    draft.openHooks.length === 0 &&
    draft.closeHooks.length === 0 &&
    draft.openQuestions.length === 0 &&
    draft.closeQuestions.length === 0 &&
    draft.outbox.length === 0 &&
    draft.chunks.length === 0 &&
    draft.closeStreams.length === 0 &&
    draft.deliveries.length === 0
  );
}

export function emptyDraft(runId: string, epoch: number): Draft {
  return {
    runId,
    epoch,
    entries: [],
    setTimers: [],
    clearTimers: [],
    openHooks: [],
    closeHooks: [],
    openQuestions: [],
    closeQuestions: [],
    outbox: [],
    chunks: [],
    closeStreams: [],
    deliveries: [],
  };
}

/**
 * What is left to write: a hook, question or timer that was opened and closed within the same transaction
 * leaves no row.
 */
export function toWrite(draft: Draft): RunWrite {
  const { runId, epoch, entries } = draft;
  if (isPlain(draft)) return { runId, epoch, entries };
  const closedKeys = new Set(draft.closeHooks.map((hook) => hook.key));
  const openedKeys = new Set(draft.openHooks.map((hook) => hook.key));
  const closedQuestions = new Set(draft.closeQuestions);
  const clearedTimers = new Set(draft.clearTimers);
  return {
    ...draft,
    openHooks: draft.openHooks.filter((hook) => !closedKeys.has(hook.key)),
    closeHooks: draft.closeHooks.filter((hook) => !openedKeys.has(hook.key)).map((hook) => hook.token),
    openQuestions: draft.openQuestions.filter((question) => !closedQuestions.has(question.requestId)),
    setTimers: draft.setTimers.filter((timer) => !clearedTimers.has(timer.key)),
  };
}
