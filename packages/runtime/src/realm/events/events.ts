/** `Event` and `EventTarget` of this realm, as far as bodies meet them: without a tree and its phases. */

class RealmEvent {
  readonly type: string;
  readonly bubbles: boolean;
  readonly cancelable: boolean;
  readonly composed: boolean;
  readonly eventPhase = 2;
  readonly isTrusted = false;
  readonly timeStamp = 0;
  defaultPrevented = false;
  target: EventTargetLike | null = null;
  currentTarget: EventTargetLike | null = null;
  /** Read by `dispatchEvent`. */
  stopped = false;

  constructor(type: string, init: { bubbles?: boolean; cancelable?: boolean; composed?: boolean } = {}) {
    this.type = String(type);
    this.bubbles = Boolean(init.bubbles);
    this.cancelable = Boolean(init.cancelable);
    this.composed = Boolean(init.composed);
    Object.defineProperty(this, "stopped", { enumerable: false, writable: true });
  }

  preventDefault(): void {
    if (this.cancelable) this.defaultPrevented = true;
  }

  stopPropagation(): void {
    // There is no tree to propagate through.
  }

  stopImmediatePropagation(): void {
    this.stopped = true;
  }

  composedPath(): EventTargetLike[] {
    return this.currentTarget ? [this.currentTarget] : [];
  }

  get [Symbol.toStringTag](): string {
    return "Event";
  }
}

type Listener = ((event: RealmEvent) => unknown) | { handleEvent(event: RealmEvent): unknown };
interface ListenerOptions {
  once?: boolean;
  capture?: boolean;
  signal?: EventTargetLike & { readonly aborted: boolean };
}
interface Registered {
  listener: Listener;
  capture: boolean;
  once: boolean;
}
interface EventTargetLike {
  addEventListener(type: string, listener: Listener | null, options?: ListenerOptions | boolean): void;
  removeEventListener(type: string, listener: Listener | null, options?: ListenerOptions | boolean): void;
  dispatchEvent(event: RealmEvent): boolean;
}

const isCapture = (options: ListenerOptions | boolean | undefined) =>
  typeof options === "boolean" ? options : Boolean(options?.capture);

class RealmEventTarget implements EventTargetLike {
  readonly #listeners = new Map<string, Registered[]>();

  addEventListener(type: string, listener: Listener | null, options?: ListenerOptions | boolean): void {
    if (listener === null || listener === undefined) return;
    const { once = false, signal } = typeof options === "object" && options !== null ? options : {};
    if (signal?.aborted) return;
    const capture = isCapture(options);
    const registered = this.#listeners.get(type) ?? [];
    if (registered.some((one) => one.listener === listener && one.capture === capture)) return;
    this.#listeners.set(type, [...registered, { listener, capture, once }]);
    signal?.addEventListener("abort", () => this.removeEventListener(type, listener, { capture }), {
      once: true,
    });
  }

  removeEventListener(type: string, listener: Listener | null, options?: ListenerOptions | boolean): void {
    const capture = isCapture(options);
    const left = this.#listeners
      .get(type)
      ?.filter((one) => one.listener !== listener || one.capture !== capture);
    if (left) this.#listeners.set(type, left);
  }

  dispatchEvent(event: RealmEvent): boolean {
    event.target = this;
    event.currentTarget = this;
    for (const one of this.#listeners.get(event.type) ?? []) {
      if (!this.#listeners.get(event.type)?.includes(one)) continue;
      if (one.once) this.removeEventListener(event.type, one.listener, { capture: one.capture });
      invoke(one.listener, this, event);
      if (event.stopped) break;
    }
    event.currentTarget = null;
    return !event.defaultPrevented;
  }

  get [Symbol.toStringTag](): string {
    return "EventTarget";
  }
}

/** A listener that throws stops neither the others nor the run: it is reported like an unhandled rejection. */
function invoke(listener: Listener, target: EventTargetLike, event: RealmEvent): void {
  try {
    if (typeof listener === "function") listener.call(target, event);
    else listener.handleEvent(event);
  } catch (error) {
    void Promise.reject(error);
  }
}

export { RealmEvent as Event, RealmEventTarget as EventTarget };
