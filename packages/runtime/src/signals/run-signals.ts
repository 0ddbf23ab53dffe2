import type { SignalHandle } from "../values/index.js";

/** The durable signal an `AbortSignal` of this process stands for. */
const DURABLE = new WeakMap<object, { runId: string; id: string }>();

/** The id of a durable signal, when the value is one of this run's. */
export function describeSignal(value: object, runId: string): SignalHandle | undefined {
  const durable = DURABLE.get(value);
  if (!durable || durable.runId !== runId) return undefined;
  const { aborted, reason } = value as AbortSignal;
  return aborted ? { id: durable.id, aborted, reason } : { id: durable.id, aborted };
}

const NONE: ReadonlySet<AbortSignal> = new Set();

/** The host's side of a run's durable signals: one `AbortSignal` per id for all steps that received it. */
export class RunSignals {
  readonly #runId: string;
  readonly #controllers = new Map<string, AbortController>();
  #collects = false;
  #collected: Set<AbortSignal> | undefined;

  constructor(runId: string) {
    this.#runId = runId;
  }

  /** The signal of a handle. `aborted` tells that the log has its abort already. */
  get(id: string, aborted?: { reason: unknown }): AbortSignal {
    let controller = this.#controllers.get(id);
    if (!controller) {
      controller = new AbortController();
      this.#controllers.set(id, controller);
      // One that belongs to no run (in a result, say) is durable nowhere.
      if (this.#runId !== "") DURABLE.set(controller.signal, { runId: this.#runId, id });
    }
    if (aborted && !controller.signal.aborted) controller.abort(aborted.reason);
    if (this.#collects) (this.#collected ??= new Set()).add(controller.signal);
    return controller.signal;
  }

  /** Does synchronous work and tells which signals it asked for: those that a step's arguments hold. */
  collect<T>(work: () => T): { value: T; signals: ReadonlySet<AbortSignal> } {
    this.#collects = true;
    try {
      return { value: work(), signals: this.#collected ?? NONE };
    } finally {
      this.#collects = false;
      this.#collected = undefined;
    }
  }

  /** The abort is committed: steps that hold the signal see it now. */
  abort(id: string, reason: unknown): void {
    this.#controllers.get(id)?.abort(reason);
  }

  /** The run ended: whatever still runs for it should stop. */
  abortAll(): void {
    if (this.#controllers.size === 0) return;
    const reason = new DOMException("The run has ended", "AbortError");
    for (const controller of this.#controllers.values()) controller.abort(reason);
    this.#controllers.clear();
  }
}
