import { stepIdOf } from "../log/state.js";
import type { LogEntry, LogEvent } from "../log/types.js";
import { iso } from "./list.js";
import type { TimelineEntry } from "./types.js";
import { readAttemptError, readError } from "./values.js";

/** A run's history, one line per entry that says something to a person. */
export function reportTimeline(entries: readonly LogEntry[]): TimelineEntry[] {
  const start = entries[0]?.at ?? 0;
  return entries.flatMap(({ seq, at, event }) => {
    const text = describe(event);
    return text === undefined ? [] : [{ seq, at: iso(at), offsetMs: at - start, text }];
  });
}

const step = (key: string) => stepIdOf(key).split("//").at(-1) ?? key;
const number = (key: string) => Number(key.slice(key.lastIndexOf("#") + 1)) + 1;

function describe(event: LogEvent): string | undefined {
  switch (event.type) {
    case "run-started":
      return event.tool === undefined ? `started ${event.workflowId}` : `started tool ${event.tool}`;
    case "run-ended":
      return event.status === "failed" ? `failed: ${message(event.error)}` : event.status;
    case "step-started":
      return `step ${step(event.key)} started${attempt(event.attempt)}`;
    case "step-completed":
      return `step ${step(event.key)} completed`;
    case "step-failed": {
      if (event.attempt === 0) return `step ${step(event.key)} not started: the run was cancelled`;
      if (event.stopped) return `step ${step(event.key)} stopped with its process${afterStop(event)}`;
      const { message } = readAttemptError(event.error);
      return `step ${step(event.key)} failed${attempt(event.attempt)}: ${message}${afterFailure(event)}`;
    }
    case "sleep-created":
      return `sleep ${number(event.key)} until ${iso(event.until)}`;
    case "sleep-fired":
      return `sleep ${number(event.key)} is over`;
    case "hook-created":
      return event.url === undefined ? `waits on hook ${event.token}` : `waits on webhook ${event.url}`;
    case "hook-conflict":
      return `hook ${event.token} belongs to ${event.runId ?? "another run"}`;
    case "hook-received":
      return `hook ${number(event.key)} received a payload`;
    case "hook-disposed":
      return `hook ${number(event.key)} disposed`;
    case "responded":
      return "webhook request answered";
    case "ask-created":
      return `asks ${event.requestId}: ${(JSON.parse(event.request) as { prompt: string }).prompt}`;
    case "ask-resolved":
      return answer(event.answer);
    case "signal-aborted":
      return event.signal === "call" ? "the call's signal aborted" : `signal ${event.signal} aborted`;
    case "progress":
      return `progress ${event.value}`;
    case "cancel-requested":
      return event.reason === undefined ? "cancel requested" : `cancel requested: ${event.reason}`;
    case "replied":
      return `replied ${event.value}`;
    case "call-received":
      return "received a call";
    case "calls-cancelled":
      return "the waiting calls were cancelled";
    case "calls-ended":
      return `no more calls: ${event.reason}`;
    case "custom-created":
      return `asks for ${event.name}`;
    case "custom-resolved":
      return event.ok ? `${step(event.key)} completed` : `${step(event.key)} failed: ${message(event.value)}`;
    case "step-created":
    case "hook-ready":
    case "stream-written":
    case "stream-closed":
    case "receiving":
      return undefined;
    default:
      return event satisfies never;
  }
}

function afterFailure({ retryAt, cancelled }: Extract<LogEvent, { type: "step-failed" }>): string {
  if (retryAt !== undefined) return `; next attempt ${iso(retryAt)}`;
  return cancelled ? "; not tried again, as the run was cancelled" : "";
}

const afterStop = ({ cancelled }: Extract<LogEvent, { type: "step-failed" }>) =>
  cancelled ? "; not tried again, as the run was cancelled" : "; it begins again when the run is taken up";

const attempt = (n: number) => (n === 1 ? "" : ` (attempt ${n})`);
const message = (error: string | undefined) =>
  error === undefined ? "unknown error" : readError(error).message;

function answer(text: string): string {
  const {
    status,
    optionId,
    text: said,
  } = JSON.parse(text) as { status: string; optionId?: string; text?: string };
  if (status !== "answered") return `question ${status}`;
  return `answered ${optionId ?? JSON.stringify(said ?? "")}`;
}
