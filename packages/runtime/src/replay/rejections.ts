/**
 * Rejected promises of bodies. A body may keep a promise for a later day and handle its rejection then; for
 * Node a promise without a handler ends the process. Promises of the host keep Node's behaviour.
 */

/** What is told about a context's promises. */
export interface RejectionObserver {
  rejected(promise: object, reason: unknown): void;
  handled(promise: object): void;
}

/** Observers by the `Promise.prototype` of their context. */
const observers = new WeakMap<object, RejectionObserver>();
let installed = false;

function observerOf(promise: object): RejectionObserver | undefined {
  for (let prototype: unknown = Object.getPrototypeOf(promise); prototype !== null;) {
    const observer = observers.get(prototype as object);
    if (observer) return observer;
    prototype = Object.getPrototypeOf(prototype);
  }
  return undefined;
}

function onUnhandled(reason: unknown, promise: object): void {
  const observer = observerOf(promise);
  if (observer) return observer.rejected(promise, reason);
  // Node treats a listener as the answer. When ours is the only one, nobody answered for this promise.
  if (process.listenerCount("unhandledRejection") > 1) return;
  throw reason instanceof Error
    ? reason
    : new Error(`This error originated by rejecting a promise which was not handled: ${String(reason)}`, {
        cause: reason,
      });
}

/** Observes the promises of a context. The process-wide listener stays: rejections are told a moment later. */
export function observeRejections(promisePrototype: object, observer: RejectionObserver): void {
  observers.set(promisePrototype, observer);
  if (installed) return;
  installed = true;
  process.on("unhandledRejection", onUnhandled);
  process.on("rejectionHandled", (promise) => observerOf(promise)?.handled(promise));
}
