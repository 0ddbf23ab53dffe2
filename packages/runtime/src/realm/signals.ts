/**
 * Durable signals. A signal gets an id when it leaves the body for the first time (as an argument of a step,
 * in a question); from then on its abort is a recorded operation. The tool call's own signal is `call`.
 */
import type { SignalHandle } from "../values/environment.js";
import { events } from "./lazy.js";
import { emit, nextKey } from "./state.js";
import { codec, environment } from "./values.js";
import { aborts } from "./abort-observer.js";
import type { AbortSignal } from "./events/abort.js";

const ids = new WeakMap<AbortSignal, string>();
const signals = new Map<string, AbortSignal>();
/** Aborts that arrived before their signal: it may stand in a value that the body reads later. */
const early = new Map<string, string | undefined>();

/** The id of a signal that leaves the body. */
export function signalId(signal: AbortSignal): string {
  let id = ids.get(signal);
  if (id === undefined) {
    id = nextKey("signal");
    register(id, signal);
  }
  return id;
}

function register(id: string, signal: AbortSignal): void {
  ids.set(signal, id);
  signals.set(id, signal);
}

/** The signal of an id the host gave: that of a call, or of a value that came from outside. */
export function durableSignal(id: string): AbortSignal {
  let signal = signals.get(id);
  if (!signal) {
    signal = events.get().createSignal();
    register(id, signal);
    if (early.has(id)) deliverAbort(id, early.get(id));
  }
  return signal;
}

/** The host says that a durable signal aborted. `reason`: devalue text. */
export function deliverAbort(id: string, reason: string | undefined): void {
  const signal = signals.get(id);
  if (!signal) early.set(id, reason);
  else events.get().abortSignal(signal, reason === undefined ? undefined : codec.decode(reason), true);
}

function encodedReason(reason: unknown): string | undefined {
  if (reason instanceof events.get().DOMException && reason.name === "AbortError") return undefined;
  try {
    return codec.encode(reason, "reason");
  } catch (error) {
    // A reason that can't be carried still has to be told from the default one.
    return codec.encode(new Error(`${String(reason)} (${(error as Error).message})`), "reason");
  }
}

aborts.observe = (signal, fromHost) => {
  const id = ids.get(signal);
  if (id === undefined || fromHost) return;
  const reason = encodedReason(signal.reason);
  emit({ op: "abort", signal: id, ...(reason === undefined ? {} : { reason }) });
};

environment.describeSignal = (value) => {
  const abort = events.loaded();
  if (!abort || !(value instanceof abort.AbortSignal)) return undefined;
  const handle: SignalHandle = { id: signalId(value), aborted: value.aborted };
  const reason = value.aborted ? encodedReason(value.reason) : undefined;
  return reason === undefined ? handle : { ...handle, reason: codec.decode(reason) };
};
environment.reviveSignal = ({ id, aborted, reason }) => {
  const signal = durableSignal(id);
  if (aborted) events.get().abortSignal(signal, reason, true);
  return signal;
};
