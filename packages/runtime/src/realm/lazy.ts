import type * as consoleModule from "./console.js";
import type * as cryptoModule from "./crypto.js";
import type * as intlModule from "./intl.js";
import type * as streamsModule from "./streams.js";
import type * as abortModule from "./web/abort.js";
import type * as base64Module from "./web/base64.js";
import type * as bodyModule from "./web/body.js";
import type * as cloneModule from "./web/clone.js";
import type * as headersModule from "./web/headers.js";
import type * as httpModule from "./web/http.js";
import type * as textModule from "./web/text.js";
import type * as urlModule from "./web/url.js";

/**
 * Parts of the realm that few bodies use. Each costs time and memory in every context, so it is evaluated at
 * its first use. (The bundler turns `require` of one of our modules into exactly that: a deferred evaluation.)
 */
export interface Lazy<Module> {
  get(): Module;
  /** Evaluated already? If not, no value can be of one of its classes. */
  loaded(): Module | undefined;
}

function lazy<Module>(evaluate: () => Module): Lazy<Module> {
  let module: Module | undefined;
  return { get: () => (module ??= evaluate()), loaded: () => module };
}

export const lazyHttp = lazy(() => require("./web/http.js") as typeof httpModule);
export const lazyHeaders = lazy(() => require("./web/headers.js") as typeof headersModule);
export const lazyBody = lazy(() => require("./web/body.js") as typeof bodyModule);
export const lazyUrl = lazy(() => require("./web/url.js") as typeof urlModule);
export const lazyText = lazy(() => require("./web/text.js") as typeof textModule);
export const lazyBase64 = lazy(() => require("./web/base64.js") as typeof base64Module);
export const lazyClone = lazy(() => require("./web/clone.js") as typeof cloneModule);
export const lazyStreams = lazy(() => require("./streams.js") as typeof streamsModule);
export const lazyCrypto = lazy(() => require("./crypto.js") as typeof cryptoModule);
export const lazyIntl = lazy(() => require("./intl.js") as typeof intlModule);
export const lazyAbort = lazy(() => require("./web/abort.js") as typeof abortModule);
export const lazyConsole = lazy(() => require("./console.js") as typeof consoleModule);

/** Defines a global that is evaluated when it is first read. Assigning to it replaces it. */
export function defineLazyGlobal(name: string, evaluate: () => unknown): void {
  const define = (value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true, enumerable: false });
  };
  Object.defineProperty(globalThis, name, {
    get() {
      const value = evaluate();
      define(value);
      return value;
    },
    set: define,
    configurable: true,
    enumerable: false,
  });
}
