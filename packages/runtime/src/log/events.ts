import { readError } from "../inspect/values.js";
import { stepIdOf } from "./state.js";
import type { LogEntry, RunStatus } from "./types.js";

/** What followers of a run are told. `id` is `<runId>:<seq>`: a follower that sees one twice drops it. */
export type RunEvent = { id: string; runId: string; at: number } & (
  | { type: "started" }
  | { type: "progress"; value: unknown }
  | { type: "question"; requestId: string; request: unknown }
  | { type: "question-resolved"; key: string; answer: { status: string; optionId?: string; text?: string } }
  | { type: "step"; key: string; stepId: string; attempt: number; phase: "started" | "completed" | "failed" }
  | {
      type: "step";
      key: string;
      stepId: string;
      attempt: number;
      phase: "retrying";
      retryAt: number;
      /** What the attempt failed with. */
      message: string;
      /** The process ended while it ran. */
      crashed?: boolean;
      /** The process was asked to end while it ran: the attempt doesn't count. */
      stopped?: boolean;
    }
  | { type: "sleep"; key: string; until: number }
  | { type: "hook"; key: string; token: string; webhook: boolean; url?: string }
  | { type: "cancelling"; reason?: string }
  | { type: "ended"; status: "completed" | "failed" | "cancelled" }
);

/** What happens besides the log: not stored, not repeated. */
export type TransientEvent = { type: "status"; runId: string; status: RunStatus };

/** The event followers see for an entry; undefined for entries that concern nobody outside. */
export function toRunEvent(runId: string, entry: LogEntry): RunEvent | undefined {
  const { at, event } = entry;
  const base = { id: `${runId}:${entry.seq}`, runId, at };
  switch (event.type) {
    case "run-started":
      return { ...base, type: "started" };
    case "progress":
      return { ...base, type: "progress", value: JSON.parse(event.value) };
    case "ask-created":
      return { ...base, type: "question", requestId: event.requestId, request: JSON.parse(event.request) };
    case "ask-resolved":
      return { ...base, type: "question-resolved", key: event.key, answer: JSON.parse(event.answer) };
    case "step-started":
      return { ...base, type: "step", phase: "started", ...stepOf(event) };
    case "step-completed":
      return { ...base, type: "step", phase: "completed", ...stepOf(event) };
    case "step-failed":
      return event.retryAt === undefined
        ? { ...base, type: "step", phase: "failed", ...stepOf(event) }
        : {
            ...base,
            type: "step",
            phase: "retrying",
            retryAt: event.retryAt,
            message: readError(event.error).message,
            ...(event.crashed ? { crashed: true } : {}),
            ...(event.stopped ? { stopped: true } : {}),
            ...stepOf(event),
          };
    case "sleep-created":
      return { ...base, type: "sleep", key: event.key, until: event.until };
    case "hook-created": {
      const { key, token, webhook, url } = event;
      return { ...base, type: "hook", key, token, webhook, ...(url === undefined ? {} : { url }) };
    }
    case "cancel-requested":
      return { ...base, type: "cancelling", ...(event.reason === undefined ? {} : { reason: event.reason }) };
    case "run-ended":
      return { ...base, type: "ended", status: event.status };
    default:
      return undefined;
  }
}

const stepOf = ({ key, attempt }: { key: string; attempt: number }) => ({
  key,
  stepId: stepIdOf(key),
  attempt,
});
