/**
 * Parts of the realm that not every body uses. Each costs time and memory in every context, so the build makes
 * a function of each of these folders, which is called at the first use. Inside a part, an import from the
 * realm's other files is a call of `core`, so that there is one instance of everything.
 */
import evaluateAmbient from "virtual:eve-realm/ambient";
import evaluateEvents from "virtual:eve-realm/events";
import evaluateWeb from "virtual:eve-realm/web";
import type * as ambientPart from "./ambient/main.js";
import type * as eventsPart from "./events/main.js";
import type * as webPart from "./web/main.js";
import { aborts } from "./abort-observer.js";
import { host } from "./border.js";
import { notHere, WorkflowUsageError } from "./errors.js";
import { fitting } from "./limits.js";
import { hidden, LOCALE, withZone } from "./locale.js";
import { randomWords } from "./random.js";
import { emit, run, start } from "./state.js";
import { handleOf } from "./stream-handles.js";
import { codec } from "./values.js";

export interface Lazy<Part> {
  get(): Part;
  /** Evaluated already? If not, no value can be of one of its classes. */
  loaded(): Part | undefined;
}

function lazy<Part extends object>(evaluate: (core: (name: string) => object) => object): Lazy<Part> {
  let part: Part | undefined;
  return { get: () => (part ??= evaluate(core) as Part), loaded: () => part };
}

/** `AbortController`, `Event` … */
export const events = lazy<typeof eventsPart>(evaluateEvents);
/** `Request`, `URL`, `structuredClone` … */
export const web = lazy<typeof webPart>(evaluateWeb);
/** `console`, `crypto`, `Intl`. */
export const ambient = lazy<typeof ambientPart>(evaluateAmbient);

/** What the parts use of the files that are always there. */
let shared: object | undefined;

/** A part's import from elsewhere: of another part, or of a file that is always there. */
function core(name: string): object {
  if (name === "events") return events.get();
  if (name === "web") return web.get();
  if (name === "ambient") return ambient.get();
  shared ??= {
    LOCALE,
    WorkflowUsageError,
    aborts,
    codec,
    emit,
    fitting,
    handleOf,
    hidden,
    host,
    notHere,
    randomWords,
    run,
    start,
    withZone,
  };
  return shared;
}

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
