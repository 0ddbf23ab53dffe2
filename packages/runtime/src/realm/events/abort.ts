import { notHere } from "../errors.js";
import { aborts } from "../abort-observer.js";
import { Event, EventTarget } from "./events.js";
import { DOMException } from "./exception.js";

let constructible = false;

class RealmAbortSignal extends EventTarget {
  #aborted = false;
  #reason: unknown = undefined;
  /** Signals made of this one by `any()`. */
  #dependents: RealmAbortSignal[] = [];
  onabort: ((event: Event) => unknown) | null = null;

  constructor() {
    super();
    if (!constructible) throw new TypeError("Illegal constructor: use `new AbortController().signal`.");
    constructible = false;
    this.addEventListener("abort", (event) => this.onabort?.call(this, event));
    Object.defineProperty(this, "onabort", { enumerable: false, writable: true });
  }

  get aborted(): boolean {
    return this.#aborted;
  }

  get reason(): unknown {
    return this.#reason;
  }

  throwIfAborted(): void {
    if (this.#aborted) throw this.#reason;
  }

  static abort(reason?: unknown): RealmAbortSignal {
    const signal = createSignal();
    abortSignal(signal, reason, false);
    return signal;
  }

  /** A signal that aborts with the first of `signals`. */
  static any(signals: Iterable<RealmAbortSignal>): RealmAbortSignal {
    const sources = [...signals];
    for (const source of sources) {
      if (!(source instanceof RealmAbortSignal)) throw new TypeError("AbortSignal.any() takes AbortSignals.");
    }
    const combined = createSignal();
    const aborted = sources.find((source) => source.aborted);
    if (aborted) abortSignal(combined, aborted.reason, false);
    else for (const source of sources) source.#dependents.push(combined);
    return combined;
  }

  static timeout(): never {
    throw notHere(
      "AbortSignal.timeout()",
      'Race the work with `sleep("30s")`, or abort an AbortController after `await sleep("30s")`.',
    );
  }

  static abortNow(signal: RealmAbortSignal, reason: unknown, fromHost: boolean): void {
    if (signal.#aborted) return;
    signal.#aborted = true;
    signal.#reason = reason === undefined ? defaultReason() : reason;
    const dependents = signal.#dependents;
    signal.#dependents = [];
    aborts.observe(signal, fromHost);
    signal.dispatchEvent(new Event("abort"));
    for (const dependent of dependents) abortSignal(dependent, signal.#reason, false);
  }

  override get [Symbol.toStringTag](): string {
    return "AbortSignal";
  }
}

/** Aborts a signal; without a reason with an `AbortError`. Nothing happens when it is aborted already. */
export const abortSignal = RealmAbortSignal.abortNow;
// Not part of what a body sees.
delete (RealmAbortSignal as { abortNow?: unknown }).abortNow;

function defaultReason(): DOMException {
  return new DOMException("This operation was aborted", "AbortError");
}

export function createSignal(): RealmAbortSignal {
  constructible = true;
  return new RealmAbortSignal();
}

class RealmAbortController {
  readonly #signal = createSignal();

  get signal(): RealmAbortSignal {
    return this.#signal;
  }

  abort(reason?: unknown): void {
    abortSignal(this.#signal, reason, false);
  }

  get [Symbol.toStringTag](): string {
    return "AbortController";
  }
}

export { RealmAbortController as AbortController, RealmAbortSignal as AbortSignal };
