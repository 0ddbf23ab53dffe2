import type { ErrorClass, ValueEnvironment } from "../environment.js";
import { isObject, type ValueKind } from "./kind.js";

interface ErrorPayload {
  name: string;
  message: string;
  stack?: string;
  cause?: unknown;
  errors?: unknown[];
  /** Own enumerable properties. */
  data?: Record<string, unknown>;
  /** It is a DOMException, whose name is not that of its class. */
  dom?: true;
}

/** Told otherwise than as data. */
const OWN_FIELDS = new Set(["name", "message", "stack", "cause", "errors"]);

const BUILT_IN: Record<string, ErrorClass> = {
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

/** True for errors of this realm and for those of another one. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || Object.prototype.toString.call(value) === "[object Error]";
}

/** A `cause` chain that leads back to its start can't be revived; such a cause is left out. */
function leadsBack(from: Error): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [from.cause, ...aggregated(from)];
  for (let error = open.pop(); open.length > 0 || error !== undefined; error = open.pop()) {
    if (error === from) return true;
    if (!isObject(error) || seen.has(error) || !isError(error)) continue;
    seen.add(error);
    open.push(error.cause, ...aggregated(error));
  }
  return false;
}

function aggregated(error: Error): unknown[] {
  const { errors } = error as { errors?: unknown };
  return error instanceof AggregateError && Array.isArray(errors) ? errors : [];
}

/** Not constructed by its class: constructors take what they like, and all that matters is in the payload. */
function ofClass(name: string, message: string, environment: ValueEnvironment): Error {
  const builtIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  const { prototype } = environment.errorClass(name) ?? builtIn ?? Error;
  return Object.setPrototypeOf(new Error(message), prototype) as Error;
}

/**
 * Errors always can be carried: what hangs on them and can't (sockets, functions) is left out, because an
 * error report that fails itself would hide its own cause.
 */
export const errorKind: ValueKind = {
  tag: "Error",

  reduce(value, { isData }) {
    if (!isObject(value) || !isError(value)) return undefined;
    const payload: ErrorPayload = { name: String(value.name), message: String(value.message) };
    if (Object.prototype.toString.call(value) === "[object DOMException]") payload.dom = true;
    if (typeof value.stack === "string") payload.stack = value.stack;
    if (!leadsBack(value)) {
      if ("cause" in value && (isError(value.cause) || isData(value.cause))) payload.cause = value.cause;
      const errors = aggregated(value).filter((error) => isError(error) || isData(error));
      if (errors.length > 0) payload.errors = errors;
    }
    const data = Object.entries(value).filter(([key, item]) => !OWN_FIELDS.has(key) && isData(item));
    if (data.length > 0) payload.data = Object.fromEntries(data);
    return payload;
  },

  revive(payload: ErrorPayload, environment) {
    const { name, message, stack, cause, errors, data } = payload;
    const error = payload.dom ? new DOMException(message, name) : ofClass(name, message, environment);
    const define = (key: string, value: unknown) =>
      Object.defineProperty(error, key, { value, configurable: true, writable: true, enumerable: false });
    if (error.name !== name) define("name", name);
    define("stack", stack ?? `${name}: ${message}`);
    if ("cause" in payload) define("cause", cause);
    if (errors) define("errors", errors);
    return Object.assign(error, data);
  },
};
