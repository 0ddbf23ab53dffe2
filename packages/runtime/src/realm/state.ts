/** What one body has asked for and knows: the plain data behind everything in this realm. */
import type { BodyStart, Operation, OperationKey, Outcome, PumpResult } from "../replay/protocol.js";

/** What the run starts from; there before anything of the body runs, but not yet while the realm is evaluated. */
export let start: BodyStart;

/** Kept, in case the body replaces it. */
export const { stringify } = JSON;

interface RunState {
  /** The body's clock: time of the last delivered entry, epoch ms. */
  now: number;
  operations: Operation[];
  console: PumpResult["console"];
  outcome: Outcome | undefined;
  /** The host delivers what is in the log already; what only costs time can be left out. */
  replaying: boolean;
  /** Counts deliveries: what happens under the same number happens at the same moment of the log. */
  moment: number;
}

export const run: RunState = {
  now: 0,
  operations: [],
  console: [],
  outcome: undefined,
  replaying: false,
  moment: 0,
};

export function begin(given: BodyStart): void {
  start = given;
  run.now = given.startedAt;
}

const counters = new Map<string, number>();

/** The next address of an operation: `<name>#<n>`, counted per name from 0. */
export function nextKey(name: string): OperationKey {
  const n = counters.get(name) ?? 0;
  counters.set(name, n + 1);
  return `${name}#${n}`;
}

/** Asks the host for something. After the body's end nothing is asked any more: the run has ended with it. */
export function emit(operation: Operation): void {
  if (run.outcome === undefined) run.operations.push(operation);
}

/** How an operation ended: devalue text of its value or of its error. */
export interface Settled {
  ok: boolean;
  text: string;
}

const pending = new Map<OperationKey, (settled: Settled) => void>();

/**
 * Asks for something that settles once. The promise never rejects: errors are made by who awaits it, so that
 * an operation nobody awaits yet can't become an unhandled rejection by itself.
 */
export function settled(operation: Operation & { key: OperationKey }): Promise<Settled> {
  return new Promise((resolve) => {
    pending.set(operation.key, resolve);
    emit(operation);
  });
}

/** Delivers the end of an operation. False when nothing waits for it. */
export function settle(key: OperationKey, result: Settled): boolean {
  const resolve = pending.get(key);
  if (!resolve) return false;
  pending.delete(key);
  resolve(result);
  return true;
}
