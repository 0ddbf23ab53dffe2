import { stepIdOf } from "../log/state.js";
import type { LogEntry, LogEvent } from "../log/types.js";
import type { OperationKey } from "../replay/protocol.js";
import { iso } from "./list.js";
import type { AttemptReport, StepReport } from "./types.js";
import { readAttemptError, readError } from "./values.js";

type Of<T extends LogEvent["type"]> = Extract<LogEvent, { type: T }>;

/** What became of each step, in the order in which they were asked for. */
export function reportSteps(
  entries: readonly LogEntry[],
  place: (site: string) => string | undefined,
): StepReport[] {
  const steps = new Map<OperationKey, StepReport>();
  const firstStart = new Map<OperationKey, number>();
  for (const { at, event } of entries) {
    switch (event.type) {
      case "step-created":
        steps.set(event.key, created(event, at, place(event.site)));
        break;
      case "step-started": {
        const step = steps.get(event.key);
        if (!step) break;
        if (!firstStart.has(event.key)) firstStart.set(event.key, at);
        step.status = "running";
        step.attempts = event.attempt;
        delete step.retryAt;
        step.history.push({ attempt: event.attempt, startedAt: iso(at) });
        break;
      }
      case "step-completed":
      case "step-failed":
        settle(steps.get(event.key), event, at, firstStart.get(event.key));
        break;
      case "run-ended":
        for (const step of steps.values()) if (!isSettled(step)) step.status = "dropped";
        break;
      default:
    }
  }
  return [...steps.values()];
}

const isSettled = ({ status }: StepReport) => status === "completed" || status === "failed";

function created({ key, site }: Of<"step-created">, at: number, place: string | undefined): StepReport {
  return {
    id: stepIdOf(key),
    key,
    status: "waiting",
    attempts: 0,
    ...(site !== "" && place !== undefined ? { at: place } : {}),
    createdAt: iso(at),
    history: [],
  };
}

function settle(
  step: StepReport | undefined,
  event: Of<"step-completed"> | Of<"step-failed">,
  at: number,
  startedAt: number | undefined,
): void {
  if (!step) return;
  const attempt: AttemptReport | undefined = step.history.at(-1);
  // A step withdrawn while it waited for a retry repeats the attempt that ended before.
  if (attempt && attempt.endedAt === undefined) {
    attempt.endedAt = iso(at);
    attempt.durationMs = at - Date.parse(attempt.startedAt);
  }
  if (event.type === "step-failed" && event.stopped && attempt) attempt.stopped = true;
  if (event.type === "step-failed" && event.stopped && !event.cancelled) {
    // It doesn't count: the step stands where it stood before this attempt.
    step.status = "stopped";
    step.attempts -= 1;
    return;
  }
  if (event.type === "step-failed") {
    step.error = readError(event.error);
    if (attempt) attempt.error = readAttemptError(event.error);
    if (attempt && event.crashed) attempt.crashed = true;
    if (event.retryAt !== undefined) {
      step.status = "retrying";
      step.retryAt = iso(event.retryAt);
      return;
    }
  } else delete step.error;
  step.status = event.type === "step-completed" ? "completed" : "failed";
  step.endedAt = iso(at);
  if (startedAt !== undefined) step.durationMs = at - startedAt;
}
