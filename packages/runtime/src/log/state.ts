/**
 * What is outstanding in a run, worked out from its log alone. The engine keeps this beside a hot body and can
 * rebuild it without one; the inspection commands read the same.
 */
import type { CallSite, OperationKey } from "../replay/protocol.js";
import type { LogEntry, LogEvent, RunStatus } from "./types.js";

export interface PendingStep {
  key: OperationKey;
  stepId: string;
  args: string;
  site: CallSite;
  /** Attempts started so far; one that was stopped with its process doesn't count. */
  attempts: number;
  phase: "created" | "started" | "retrying";
  retryAt?: number;
  /** Of a step that waits for a retry: what the last attempt failed with, and whether its process ended. */
  failure?: { error: string; crashed: boolean; stopped: boolean };
  /** It was asked for before the run was cancelled: no attempt begins any more. */
  noRetry?: boolean;
}

export interface PendingHook {
  token: string;
  webhook: boolean;
  /** Payloads received so far. */
  received: number;
  respondWith?: string;
}

export interface PendingAsk {
  requestId: string;
  /** JSON of the request. */
  request: string;
  signals: string[];
}

export type RunStarted = Extract<LogEvent, { type: "run-started" }>;
export type RunEnded = Extract<LogEvent, { type: "run-ended" }>;

export interface RunState {
  started: RunStarted;
  startedAt: number;
  nextSeq: number;
  /** Time of the last entry: what the body's clock shows, and the least time of the next entry. */
  lastAt: number;
  steps: Map<OperationKey, PendingStep>;
  sleeps: Map<OperationKey, number>;
  hooks: Map<OperationKey, PendingHook>;
  asks: Map<OperationKey, PendingAsk>;
  customs: Map<OperationKey, { name: string; args: string }>;
  /** Aborted signals with their reasons. */
  aborted: Map<string, string | undefined>;
  /** Manual webhook requests that wait for an answer. */
  requests: Set<string>;
  cancel?: { at: number; reason?: string };
  ended?: RunEnded;
  endedAt?: number;
}

/** Keys of the sleeps that are due at a time (epoch ms): earliest first, those of one time as they were asked for. */
export function dueSleeps(state: RunState, time: number): OperationKey[] {
  const due = [...state.sleeps].filter(([, until]) => until <= time);
  return due.sort(([, a], [, b]) => a - b).map(([key]) => key);
}

/** The durable signal every tool call has: `ctx.abortSignal`. */
export const CALL_SIGNAL = "call";

/** The state after the first entry. Throws when the log doesn't begin with `run-started`. */
export function initialState(entry: LogEntry): RunState {
  if (entry.event.type !== "run-started")
    throw new TypeError(`A log begins with run-started, not ${entry.event.type}`);
  return {
    started: entry.event,
    startedAt: entry.at,
    nextSeq: entry.seq + 1,
    lastAt: entry.at,
    steps: new Map(),
    sleeps: new Map(),
    hooks: new Map(),
    asks: new Map(),
    customs: new Map(),
    aborted: new Map(),
    requests: new Set(),
  };
}

/** Works out a state from a whole log. */
export function reduceLog(entries: readonly LogEntry[]): RunState {
  const [first, ...rest] = entries;
  if (!first) throw new TypeError("An empty log has no state");
  const state = initialState(first);
  for (const entry of rest) applyEntry(state, entry);
  return state;
}

/** Changes `state` by one entry. */
export function applyEntry(state: RunState, { seq, at, event }: LogEntry): void {
  state.nextSeq = seq + 1;
  state.lastAt = Math.max(state.lastAt, at);
  switch (event.type) {
    case "step-created":
      state.steps.set(event.key, {
        key: event.key,
        stepId: event.stepId,
        args: event.args,
        site: event.site,
        attempts: 0,
        phase: "created",
      });
      return;
    case "step-started":
      startStep(state.steps.get(event.key), event.attempt);
      return;
    case "step-failed":
      if (event.retryAt === undefined) state.steps.delete(event.key);
      else {
        const { attempt, retryAt, error, crashed = false, stopped = false } = event;
        updateStep(state, event.key, {
          phase: "retrying",
          retryAt,
          failure: { error, crashed, stopped },
          attempts: stopped ? attempt - 1 : attempt,
        });
      }
      return;
    case "step-completed":
      state.steps.delete(event.key);
      return;
    case "sleep-created":
      state.sleeps.set(event.key, event.until);
      return;
    case "sleep-fired":
      state.sleeps.delete(event.key);
      return;
    case "hook-created":
      state.hooks.set(event.key, {
        token: event.token,
        webhook: event.webhook,
        received: 0,
        ...(event.respondWith === undefined ? {} : { respondWith: event.respondWith }),
      });
      return;
    case "hook-conflict":
    case "hook-disposed":
      state.hooks.delete(event.key);
      return;
    case "hook-received":
      receive(state, event.key);
      return;
    case "responded":
      state.requests.delete(event.request);
      return;
    case "ask-created":
      state.asks.set(event.key, {
        requestId: event.requestId,
        request: event.request,
        signals: event.signals,
      });
      return;
    case "ask-resolved":
      state.asks.delete(event.key);
      return;
    case "custom-created":
      state.customs.set(event.key, { name: event.name, args: event.args });
      return;
    case "custom-resolved":
      state.customs.delete(event.key);
      return;
    case "signal-aborted":
      state.aborted.set(event.signal, event.reason);
      return;
    case "cancel-requested":
      state.cancel ??= { at, ...(event.reason === undefined ? {} : { reason: event.reason }) };
      for (const step of state.steps.values()) step.noRetry = true;
      return;
    case "run-ended":
      end(state, at, event);
      return;
    case "run-started":
    case "hook-ready":
    case "progress":
    case "stream-written":
    case "stream-closed":
    case "receiving":
    case "replied":
    case "call-received":
    case "calls-ended":
      return;
    case "calls-cancelled":
      state.aborted.set(event.signal, event.reason);
      return;
    default:
      event satisfies never;
  }
}

function startStep(step: PendingStep | undefined, attempt: number): void {
  if (!step) return;
  step.attempts = attempt;
  step.phase = "started";
}

function updateStep(state: RunState, key: OperationKey, change: Partial<PendingStep>): void {
  const step = state.steps.get(key);
  if (step) Object.assign(step, change);
}

function receive(state: RunState, key: OperationKey): void {
  const hook = state.hooks.get(key);
  if (!hook) return;
  if (hook.respondWith === "manual") state.requests.add(requestName(key, hook.received));
  hook.received += 1;
}

/** The name of a webhook's n-th request, as `respond` operations use it. */
export const requestName = (key: OperationKey, payload: number): string => `${key}/${payload}`;

/** The end of a run withdraws whatever was outstanding. */
function end(state: RunState, at: number, event: RunEnded): void {
  state.ended = event;
  state.endedAt = at;
  for (const pending of [state.steps, state.sleeps, state.hooks, state.asks, state.customs, state.requests]) {
    pending.clear();
  }
}

/**
 * Whether nothing in memory is needed until something comes from outside: no step runs or waits for a retry.
 * Only hooks, questions and sleeps are left.
 */
export function statusOf(state: RunState): RunStatus {
  if (state.ended) return state.ended.status;
  return state.steps.size === 0 && state.customs.size === 0 ? "waiting" : "running";
}

/**
 * Whether a body that waits can't be reached by anything but a cancellation: nothing it asked for is outstanding, so
 * what it awaits (`new Promise(() => {})`, say) never comes. A `serve` body waits for calls.
 */
export function isStuck(state: RunState): boolean {
  if (statusOf(state) !== "waiting" || state.cancel || state.started.entryPoint === "serve") return false;
  return state.sleeps.size === 0 && state.hooks.size === 0 && state.asks.size === 0;
}

/** The step id of an operation key. */
export const stepIdOf = (key: OperationKey): string => key.slice(0, key.lastIndexOf("#"));
