/** Gives the context the globals that code for the web and Node expects, made of this realm. */
import {
  defineLazyGlobal,
  lazyAbort,
  lazyBase64,
  lazyClone,
  lazyConsole,
  lazyCrypto,
  lazyHeaders,
  lazyHttp,
  lazyIntl,
  lazyStreams,
  lazyText,
  lazyUrl,
  type Lazy,
} from "./lazy.js";

const MODULES: [module: Lazy<object>, names: string[]][] = [
  [lazyAbort, ["AbortController", "AbortSignal", "DOMException", "Event", "EventTarget"]],
  [lazyHeaders, ["Headers"]],
  [lazyHttp, ["Request", "Response"]],
  [lazyStreams, ["ReadableStream", "WritableStream"]],
  [lazyText, ["TextDecoder", "TextEncoder"]],
  [lazyUrl, ["URL", "URLSearchParams"]],
  [lazyBase64, ["atob", "btoa"]],
  [lazyClone, ["structuredClone"]],
  [lazyCrypto, ["crypto"]],
  // Replaces V8's console, which would write to a debugger only.
  [lazyConsole, ["console"]],
];

// What the callback throws is reported like an unhandled rejection.
function queueMicrotask(callback: () => void): void {
  if (typeof callback !== "function") throw new TypeError("queueMicrotask() takes a function.");
  void Promise.resolve().then(() => callback());
}

function exported(module: Lazy<object>, name: string): unknown {
  const value = (module.get() as Record<string, unknown>)[name];
  // The bundler may have renamed the class to keep it apart from the global.
  if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
  return value;
}

export function installGlobals(): void {
  for (const [module, names] of MODULES) {
    for (const name of names) defineLazyGlobal(name, () => exported(module, name));
  }
  const realIntl = Intl;
  defineLazyGlobal("Intl", () => lazyIntl.get().fixedIntl(realIntl));
  defineLazyGlobal("queueMicrotask", () => queueMicrotask);
  // Contexts of Node 20 and 22 lack them.
  for (const name of ["dispose", "asyncDispose"]) {
    if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) });
  }
  // The context's global object has no prototype of the language.
  Object.setPrototypeOf(globalThis, Object.prototype);
}
