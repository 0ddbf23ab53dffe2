/**
 * Rejected promises of bodies. A body may keep a promise for a later day and handle its rejection then; for
 * Node a promise without a handler ends the process. Promises of the host keep Node's behaviour.
 */

import { isErrorObject, messageOf } from "../values/thrown.js";

/** What is told about a context's promises. */
export interface RejectionObserver {
  rejected(promise: object, reason: unknown): void;
  handled(promise: object): void;
}

/** Observers by the `Promise.prototype` of their context. */
const observers = new WeakMap<object, RejectionObserver>();
/** Asked for promises of the host; true: it took care of that one. */
const claims: ((reason: unknown) => boolean)[] = [];
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
  if (claims.some((claim) => claim(reason))) return;
  // Node treats a listener as the answer. When ours is the only one, nobody answered for this promise.
  if (process.listenerCount("unhandledRejection") > 1) return;
  throw isErrorObject(reason)
    ? reason
    : new Error(`This error originated by rejecting a promise which was not handled: ${messageOf(reason)}`, {
        cause: reason,
      });
}

/** Observes the promises of a context. The process-wide listener stays: rejections are told a moment later. */
export function observeRejections(promisePrototype: object, observer: RejectionObserver): void {
  observers.set(promisePrototype, observer);
  install();
}

/** Has `claim` asked about rejections of the host that nobody handled, in the async context they happened in. */
export function claimRejections(claim: (reason: unknown) => boolean): void {
  claims.push(claim);
  install();
}

function install(): void {
  if (installed) return;
  installed = true;
  process.on("unhandledRejection", onUnhandled);
  process.on("rejectionHandled", (promise) => observerOf(promise)?.handled(promise));
}
