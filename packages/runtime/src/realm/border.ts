/**
 * The host as the realm sees it. Only strings and numbers go over, in both directions; the functions stay in
 * the closure of this script, so that no object of the host can be reached from a body.
 */
import type { CallSite, OperationKey } from "../replay/protocol.js";

export interface Border {
  /** JSON of `BodyStart`. */
  start: string;
  hookToken(key: OperationKey): string;
  webhookUrl(key: OperationKey, token: string): string;
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
  /** Evaluates the bundle and starts the body. */
  start(at: number, bundle: BundleFunction): void;
  /** One delivery other than `start`; what the fields mean depends on `type` (see `Delivery`). */
  deliver(at: number, type: string, key: string, first?: string, second?: string): void;
  /** What the body asked for since the last call: JSON of `PumpResult`, or "" when it asked for nothing. */
  collect(): string;
  /** Readable text of a value of this realm, for warnings. */
  describe(value: unknown): string;
  /** Tells promises of this realm from others. */
  promisePrototype: object;
}

/** The parameter of the function that the host wraps around this script. */
declare const border: Border;

/** Calls the host. An error of the host's realm must not reach the body: it is rebuilt here. */
function call<Name extends "hookToken" | "webhookUrl">(
  name: Name,
  ...args: Parameters<Border[Name]>
): string {
  let message: string;
  try {
    return (border[name] as (...args: unknown[]) => string)(...args);
  } catch (error) {
    message = String((error as { message?: unknown } | undefined)?.message ?? error);
  }
  throw new Error(message);
}

export const host = {
  start: border.start,
  attach: (api: RealmApi): void => border.attach(api),
  hookToken: (key: OperationKey): string => call("hookToken", key),
  webhookUrl: (key: OperationKey, token: string): string => call("webhookUrl", key, token),
};

export type { CallSite };
