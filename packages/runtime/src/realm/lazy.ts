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
import * as abortObserver from "./abort-observer.js";
import * as border from "./border.js";
import * as errors from "./errors.js";
import * as locale from "./locale.js";
import * as random from "./random.js";
import * as state from "./state.js";
import * as streamHandles from "./stream-handles.js";
import * as values from "./values.js";

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

/** A part's import from elsewhere: another part, or one of the files that are always there. */
function core(name: string): object {
  switch (name) {
    case "events":
      return events.get();
    case "web":
      return web.get();
    case "ambient":
      return ambient.get();
    case "abort-observer":
      return abortObserver;
    case "border":
      return border;
    case "errors":
      return errors;
    case "locale":
      return locale;
    case "random":
      return random;
    case "state":
      return state;
    case "stream-handles":
      return streamHandles;
    case "values":
      return values;
    default:
      throw new Error(`The realm has no ${name} for its parts.`);
  }
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
