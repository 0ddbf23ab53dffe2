/** Gives the context the globals that code for the web and Node expects, made of this realm. */
import { ambient, defineLazyGlobal, events, web, type Lazy } from "./lazy.js";

const PARTS: [part: Lazy<object>, names: string[]][] = [
  [events, ["AbortController", "AbortSignal", "DOMException", "Event", "EventTarget"]],
  [web, ["Headers", "Request", "Response", "URL", "URLSearchParams", "TextDecoder", "TextEncoder"]],
  [web, ["atob", "btoa", "structuredClone", "ReadableStream", "WritableStream"]],
  // The console replaces V8's, which would write to a debugger only.
  [ambient, ["console", "crypto"]],
];

// What the callback throws is reported like an unhandled rejection.
function queueMicrotask(callback: () => void): void {
  if (typeof callback !== "function") throw new TypeError("queueMicrotask() takes a function.");
  void Promise.resolve().then(() => callback());
}

function exported(part: Lazy<object>, name: string): unknown {
  const value = (part.get() as Record<string, unknown>)[name];
  // The bundler may have renamed the class to keep it apart from the global.
  if (typeof value === "function") Object.defineProperty(value, "name", { value: name, configurable: true });
  return value;
}

export function installGlobals(): void {
  for (const [part, names] of PARTS) {
    for (const name of names) defineLazyGlobal(name, () => exported(part, name));
  }
  const realIntl = Intl;
  defineLazyGlobal("Intl", () => ambient.get().fixedIntl(realIntl));
  defineLazyGlobal("queueMicrotask", () => queueMicrotask);
  // Contexts of Node 20 and 22 lack them.
  for (const name of ["dispose", "asyncDispose"]) {
    if (!(name in Symbol)) Object.defineProperty(Symbol, name, { value: Symbol(`Symbol.${name}`) });
  }
  // The context's global object has no prototype of the language.
  Object.setPrototypeOf(globalThis, Object.prototype);
}
