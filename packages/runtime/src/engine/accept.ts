import { RunEndedError } from "../errors/engine.js";
import { CALL_SIGNAL, requestName } from "../log/state.js";
import { crashedWhenCancelled, neverStarted, stopped } from "../steps/cancelled.js";
import type { Actor } from "./actor.js";
import { ackOf, type Ack, type Input } from "./inputs.js";
import type { Turn } from "./turn.js";

/** What accepting an input may ask of the engine. */
export interface AcceptHost {
  /** A local answer to a webhook request is due. */
  responded(request: string, response: string): void;
  abortSignal(runId: string, signal: string, reason: string | undefined): void;
  /** devalue text of an error of the engine. */
  encodeError(actor: Actor, error: Error): string;
  setRetry(turn: Turn, key: string, at: number): void;
  armTimer(dueAt: number): void;
}

/** Tells one input to the run. Inputs that have come too late change nothing. */
export function acceptInput(turn: Turn, input: Input, host: AcceptHost): void {
  const { actor } = turn;
  const { state } = actor;
  if (state.ended) return refuse(turn, input);
  switch (input.type) {
    case "start":
      turn.draft.create = actor.row;
      turn.effects.push(() => input.ack.resolve());
      // A replay takes the body's start from this entry, so it is exactly the time the context was made with.
      return turn.tell(turn.append(state.started, state.startedAt));
    case "step-completed":
    case "step-failed":
      return acceptStep(turn, input, host);
    case "step-stopped":
      return stopStep(turn, input, host);
    case "step-withdrawn":
      return withdrawStep(turn, input.key, host);
    case "retry":
      if (state.steps.get(input.key)?.phase === "retrying") turn.queueStep(input.key);
      return;
    case "sleep":
      turn.effects.push(() => input.ack?.resolve());
      if (!state.sleeps.has(input.key)) return;
      turn.draft.clearTimers.push(input.key);
      return turn.deliver({ type: "sleep-fired", key: input.key });
    case "payload":
      return acceptPayload(turn, input);
    case "respond":
      if (state.requests.has(input.request)) {
        turn.append({ type: "responded", request: input.request, response: input.response, by: "step" });
        turn.effects.push(() => host.responded(`${actor.runId}/${input.request}`, input.response));
      }
      turn.effects.push(() => input.ack.resolve());
      return;
    case "hook-ready":
      if (state.hooks.has(input.key)) turn.deliver({ type: "hook-ready", key: input.key });
      return;
    case "hook-conflict":
      return turn.deliver({ type: "hook-conflict", key: input.key, token: input.token, runId: input.runId });
    case "answer":
      return acceptAnswer(turn, input);
    case "abort":
      abort(turn, input.signal, input.reason, host);
      turn.effects.push(() => input.ack?.resolve());
      return;
    case "cancel":
      return acceptCancel(turn, input, host);
    case "cancel-now":
      if (!state.cancel) turn.append({ type: "cancel-requested" });
      turn.end({ type: "run-ended", status: "cancelled" });
      turn.effects.push(() => input.ack?.resolve());
      return;
    case "call":
      turn.effects.push(() => input.ack?.resolve());
      return turn.deliver({ type: "call-received", record: input.record, input: input.input });
    case "calls-cancelled": {
      const { signal, reason } = input;
      turn.effects.push(() => input.ack?.resolve());
      if (state.aborted.has(signal)) return;
      const entry = turn.append({
        type: "calls-cancelled",
        signal,
        ...(reason === undefined ? {} : { reason }),
      });
      turn.effects.push(() => host.abortSignal(actor.runId, signal, reason));
      withdrawQuestions(turn, signal);
      return turn.tell(entry);
    }
    case "calls-ended":
      turn.effects.push(() => input.ack?.resolve());
      return turn.deliver({ type: "calls-ended", reason: input.reason });
    case "custom":
      if (!state.customs.has(input.key)) return;
      return turn.deliver({ type: "custom-resolved", key: input.key, ok: input.ok, value: input.value });
    case "fail":
      turn.effects.push(() => input.ack?.resolve());
      return turn.end({ type: "run-ended", status: "failed", error: input.error });
    case "wake":
      return;
    default:
      input satisfies never;
  }
}

function refuse(turn: Turn, input: Input): void {
  const { runId, state } = turn.actor;
  // A cancellation that comes after the end has got what it asked for.
  const ack = ackOf(input);
  if (!ack) return;
  if (input.type === "cancel" || input.type === "cancel-now") turn.effects.push(() => input.ack?.resolve());
  else refuseLate(turn, ack, new RunEndedError(runId, state.ended?.status ?? "ended"));
}

/** Tells who waits that they came too late, once what they came too late for is committed. */
function refuseLate(turn: Turn, ack: Ack<never> | undefined, error: RunEndedError): void {
  turn.effects.push(() => ack?.reject(error));
}

function acceptStep(
  turn: Turn,
  input: Extract<Input, { type: "step-completed" | "step-failed" }>,
  host: AcceptHost,
): void {
  const { key, attempt } = input;
  const step = turn.actor.state.steps.get(key);
  // Only the attempt that was started last can end the step: a repeated delivery finds it gone.
  if (!step || step.phase !== "started" || step.attempts !== attempt) return;
  turn.effects.push(() => turn.actor.running.delete(key));
  if (input.type === "step-completed") {
    return turn.deliver({ type: "step-completed", key, attempt, value: input.value });
  }
  const { retryAt, crashed } = input;
  const failure = { type: "step-failed", key, attempt, ...(crashed ? { crashed } : {}) } as const;
  if (step.noRetry) {
    const error = crashed ? host.encodeError(turn.actor, crashedWhenCancelled(step)) : input.error;
    turn.deliver({ ...failure, error, ...(retryAt === undefined ? {} : { cancelled: true }) });
    return;
  }
  turn.deliver({ ...failure, error: input.error, ...(retryAt === undefined ? {} : { retryAt }) });
  if (retryAt !== undefined) host.setRetry(turn, key, retryAt);
}

/** Records that an attempt was given up because its engine closes: it doesn't count, and the next one may begin at once. */
function stopStep(turn: Turn, input: Extract<Input, { type: "step-stopped" }>, host: AcceptHost): void {
  const { key, attempt } = input;
  const step = turn.actor.state.steps.get(key);
  if (!step || step.phase !== "started" || step.attempts !== attempt) return;
  turn.effects.push(() => turn.actor.running.delete(key));
  const failure = { type: "step-failed", key, attempt, stopped: true } as const;
  if (step.noRetry) {
    turn.deliver({
      ...failure,
      error: host.encodeError(turn.actor, crashedWhenCancelled(step)),
      cancelled: true,
    });
  } else {
    turn.append({ ...failure, error: host.encodeError(turn.actor, stopped(step)), retryAt: turn.time() });
  }
}

/** Ends a step that waits for its first attempt or for the next one. */
function withdrawStep(turn: Turn, key: string, host: AcceptHost): void {
  const step = turn.actor.state.steps.get(key);
  if (!step || step.phase === "started") return;
  const { failure } = step;
  const attempt = failure?.stopped ? step.attempts + 1 : step.attempts;
  const error =
    failure && !failure.crashed && !failure.stopped
      ? failure.error
      : host.encodeError(
          turn.actor,
          failure ? crashedWhenCancelled({ stepId: step.stepId, attempts: attempt }) : neverStarted(step),
        );
  turn.deliver({ type: "step-failed", key, attempt, error, cancelled: true });
}

function acceptPayload(turn: Turn, input: Extract<Input, { type: "payload" }>): void {
  const { key, value, idempotencyKey, ack } = input;
  const hook = turn.actor.state.hooks.get(key);
  if (!hook) return refuseLate(turn, ack, new RunEndedError(turn.actor.runId, "its hook was disposed"));
  if (idempotencyKey !== undefined) {
    const known = turn.draft.deliveries.some(
      (one) => one.idempotencyKey === idempotencyKey && one.token === hook.token,
    );
    if (known) {
      turn.effects.push(() => ack.resolve({ repeated: true }));
      return;
    }
    turn.draft.deliveries.push({ token: hook.token, idempotencyKey });
  }
  const request = hook.respondWith === "manual" ? requestName(key, hook.received) : undefined;
  // Registered before the body is told: it may answer, or end, in the same transaction.
  turn.effects.push(() => ack.resolve(request === undefined ? {} : { request }));
  turn.deliver({ type: "hook-received", key, value });
}

function acceptAnswer(turn: Turn, input: Extract<Input, { type: "answer" }>): void {
  const { key, answer, ack } = input;
  const ask = turn.actor.state.asks.get(key);
  if (!ask) {
    const error = new RunEndedError(turn.actor.runId, "its question was answered or withdrawn");
    return refuseLate(turn, ack, error);
  }
  turn.draft.closeQuestions.push(ask.requestId);
  const entry = turn.append({ type: "ask-resolved", key, answer: JSON.stringify(answer) });
  turn.send("question-resolved", entry, { requestId: ask.requestId, answer });
  turn.effects.push(() => ack?.resolve());
  turn.tell(entry);
}

/** Aborts a durable signal; questions that it withdraws resolve as cancelled right after. */
function abort(turn: Turn, signal: string, reason: string | undefined, host: AcceptHost): void {
  const { actor } = turn;
  if (actor.state.aborted.has(signal)) return;
  const entry = turn.append({
    type: "signal-aborted",
    signal,
    by: "host",
    ...(reason === undefined ? {} : { reason }),
  });
  turn.effects.push(() => host.abortSignal(actor.runId, signal, reason));
  withdrawQuestions(turn, signal);
  turn.tell(entry);
}

/** Queues the withdrawal of every open question that names the signal. */
export function withdrawQuestions(turn: Turn, signal: string): void {
  for (const [key, ask] of turn.actor.state.asks) {
    if (ask.signals.includes(signal))
      turn.internal.push({ type: "answer", key, answer: { status: "cancelled" } });
  }
}

/** Name of the timer that ends a cancelled run's grace. */
export const CANCEL_TIMER = "cancel";

function acceptCancel(turn: Turn, input: Extract<Input, { type: "cancel" }>, host: AcceptHost): void {
  const { state } = turn.actor;
  if (!state.cancel) {
    turn.append({
      type: "cancel-requested",
      ...(input.reason === undefined ? {} : { reason: input.reason }),
    });
    turn.draft.setTimers.push({ key: CANCEL_TIMER, dueAt: input.deadline });
    turn.effects.push(() => host.armTimer(input.deadline));
    // Without a reason of its own the signal has the standard AbortError, as everywhere.
    abort(turn, CALL_SIGNAL, undefined, host);
    for (const [key, step] of state.steps) {
      if (step.noRetry && step.phase !== "started") turn.internal.push({ type: "step-withdrawn", key });
    }
  }
  turn.effects.push(() => input.ack?.resolve());
}
