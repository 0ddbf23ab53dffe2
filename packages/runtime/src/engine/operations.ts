import type { Operation } from "../replay/protocol.js";
import type { Actor } from "./actor.js";
import { withdrawQuestions } from "./accept.js";
import type { Turn } from "./turn.js";

/** What taking up an operation may ask of the engine. */
export interface OperationHost {
  /** The run that holds a live hook with this token, as far as this process knows. */
  tokenOwner(token: string): string | undefined;
  opened(actor: Actor, token: string): void;
  closed(actor: Actor, token: string): void;
  webhookUrl(token: string): string;
  nextChunk(runId: string, stream: string): number;
  responded(request: string, response: string): void;
  abortSignal(runId: string, signal: string, reason: string | undefined): void;
  /** Has a later capability carry the operation out. */
  custom(turn: Turn, operation: Extract<Operation, { op: "custom" }>): void;
  armTimer(dueAt: number): void;
}

/** Records what the body asks for, and prepares what follows from it after the commit. */
export function applyOperation(turn: Turn, operation: Operation, host: OperationHost): void {
  const { actor, draft } = turn;
  const { state } = actor;
  switch (operation.op) {
    case "step": {
      const { key, stepId, args, site } = operation;
      turn.append({ type: "step-created", key, stepId, args, site });
      turn.queueStep(key);
      return;
    }
    case "sleep": {
      const { key, until, site } = operation;
      turn.append({ type: "sleep-created", key, until, site });
      draft.setTimers.push({ key, dueAt: until });
      turn.effects.push(() => host.armTimer(until));
      return;
    }
    case "hook":
      return applyHook(turn, operation, host);
    case "hook-dispose": {
      const hook = state.hooks.get(operation.key);
      turn.append({ type: "hook-disposed", key: operation.key });
      if (!hook) return;
      draft.closeHooks.push({ key: operation.key, token: hook.token });
      host.closed(actor, hook.token);
      return;
    }
    case "respond": {
      const { request, response } = operation;
      turn.append({ type: "responded", request, response, by: "body" });
      turn.effects.push(() => host.responded(`${actor.runId}/${request}`, response));
      return;
    }
    case "ask":
      return applyAsk(turn, operation);
    case "ask-withdraw":
      turn.internal.push({ type: "answer", key: operation.key, answer: { status: "cancelled" } });
      return;
    case "abort": {
      const { signal, reason } = operation;
      turn.append({
        type: "signal-aborted",
        signal,
        by: "body",
        ...(reason === undefined ? {} : { reason }),
      });
      turn.effects.push(() => host.abortSignal(actor.runId, signal, reason));
      withdrawQuestions(turn, signal);
      return;
    }
    case "progress": {
      const entry = turn.append({ type: "progress", value: operation.value });
      turn.send("progress", entry, JSON.parse(operation.value));
      return;
    }
    case "stream-write": {
      const { stream, value } = operation;
      turn.append({ type: "stream-written", stream, value });
      draft.chunks.push({ stream, index: host.nextChunk(actor.runId, stream), value });
      return;
    }
    case "stream-close":
      turn.append({ type: "stream-closed", stream: operation.stream });
      draft.closeStreams.push(operation.stream);
      return;
    case "receive": {
      const entry = turn.append({ type: "receiving", key: operation.key });
      turn.send("receiving", entry, { key: operation.key });
      return;
    }
    case "reply": {
      const { key, value, calls } = operation;
      const entry = turn.append({ type: "replied", key, value, calls });
      turn.send("reply", entry, { calls, output: JSON.parse(value) });
      return;
    }
    case "custom": {
      const { key, name, args, site } = operation;
      turn.append({ type: "custom-created", key, name, args, site });
      host.custom(turn, operation);
      return;
    }
    default:
      operation satisfies never;
  }
}

function applyHook(turn: Turn, operation: Extract<Operation, { op: "hook" }>, host: OperationHost): void {
  const { key, token, webhook, metadata, respondWith, site } = operation;
  const optional = {
    ...(webhook ? { url: host.webhookUrl(token) } : {}),
    ...(metadata === undefined ? {} : { metadata }),
    ...(respondWith === undefined ? {} : { respondWith }),
  };
  const owner = host.tokenOwner(token);
  const { at } = turn.append({ type: "hook-created", key, token, webhook, ...optional, site });
  if (owner !== undefined) {
    turn.internal.push({ type: "hook-conflict", key, token, runId: owner });
    return;
  }
  host.opened(turn.actor, token);
  turn.draft.openHooks.push({ token, key, webhook, createdAt: at, ...optional });
  turn.internal.push({ type: "hook-ready", key });
}

function applyAsk(turn: Turn, operation: Extract<Operation, { op: "ask" }>): void {
  const { key, request, signals, call, site } = operation;
  const { state, runId } = turn.actor;
  const requestId = `${runId}-ask-${Number(key.slice(key.lastIndexOf("#") + 1))}`;
  const entry = turn.append({
    type: "ask-created",
    key,
    requestId,
    request,
    signals,
    ...(call === undefined ? {} : { call }),
    site,
  });
  const status =
    state.started.answerable === false
      ? "unavailable"
      : signals.some((id) => state.aborted.has(id))
        ? "cancelled"
        : undefined;
  if (status) {
    turn.internal.push({ type: "answer", key, answer: { status } });
    return;
  }
  turn.draft.openQuestions.push({ requestId, key, request, createdAt: entry.at });
  turn.send("question", entry, {
    requestId,
    request: JSON.parse(request),
    ...(call === undefined ? {} : { call }),
  });
}
