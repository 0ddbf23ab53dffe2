/**
 * The host as the realm sees it. Only strings and numbers go over, in both directions; the functions stay in
 * the closure of this script, so that no object of the host can be reached from a body.
 */
import type { Delivery, OperationKey, PumpResult } from "../replay/protocol.js";

export interface Border {
  hookToken(key: OperationKey): string;
  webhookUrl(key: OperationKey, token: string): string;
  /** JSON of a URL's parts; `undefined` when the text is no URL. */
  parseUrl(url: string, base: string | undefined): string | undefined;
  /** The parts after one of them is set. */
  changeUrl(href: string, part: string, value: string): string | undefined;
  /** JSON of the pairs of a query, and back. */
  parseQuery(query: string): string;
  formatQuery(pairs: string): string;
  /** The encoding's own name for one of its labels. */
  encodingName(label: string): string | undefined;
  /** `bytes`: code points 0–255. `undefined` when `fatal` and they are malformed. */
  decodeText(bytes: string, encoding: string, fatal: boolean, ignoreBOM: boolean): string | undefined;
  atob(text: string): string | undefined;
  btoa(text: string): string | undefined;
  /** Hands over the functions that the host calls. */
  attach(api: RealmApi): void;
}

/** A CommonJS wrapper around the bundle, compiled in this context. */
export type BundleFunction = (
  this: unknown,
  exports: object,
  module: { exports: object },
  require: (id: string) => never,
) => void;

export interface RealmApi {
  /**
   * Makes the realm that of a run: called once, before anything else. `given`: JSON of `BodyStart`. `namesTemporal`: the
   * bundle's text holds the word `Temporal`.
   */
  begin(given: string, namesTemporal: boolean): void;
  /** Evaluates the bundle and starts the body. */
  start(at: number, replaying: boolean, bundle: BundleFunction): void;
  /** One delivery other than `start`; what the fields mean depends on `type` (see `Delivery`). */
  deliver(
    at: number,
    replaying: boolean,
    type: Exclude<Delivery["type"], "start">,
    key: string,
    first?: string,
    second?: string,
  ): void;
  /** What the body asked for since the last call, to be copied; `undefined` when it asked for nothing. */
  collect(): PumpResult | undefined;
  /** Readable text of a value of this realm, for warnings. */
  describe(value: unknown): string;
  /** Tells promises of this realm from others. */
  promisePrototype: object;
}

/** The parameter of the function that the host wraps around this script. */
declare const border: Border;

/** Calls the host. An error of the host's realm must not reach the body: it is rebuilt here. */
function calling<Args extends unknown[], Result>(ask: (...args: Args) => Result): (...args: Args) => Result {
  return (...args) => {
    let message: string;
    try {
      return ask(...args);
    } catch (error) {
      message = String((error as { message?: unknown } | undefined)?.message ?? error);
    }
    throw new Error(message);
  };
}

export const host = {
  attach: border.attach,
  hookToken: calling(border.hookToken),
  webhookUrl: calling(border.webhookUrl),
  parseUrl: calling(border.parseUrl),
  changeUrl: calling(border.changeUrl),
  parseQuery: calling(border.parseQuery),
  formatQuery: calling(border.formatQuery),
  encodingName: calling(border.encodingName),
  decodeText: calling(border.decodeText),
  atob: calling(border.atob),
  btoa: calling(border.btoa),
};
