import type { ErrorClass, ValueEnvironment } from "../environment.js";
import { isErrorObject, messageOf, nameOf, readOf } from "../thrown.js";
import { mapStack } from "../stacks.js";
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
  return isErrorObject(value) || tagOf(value) === "[object Error]";
}

/** A Proxy may refuse to tell. */
const tagOf = (value: unknown) => readOf(() => Object.prototype.toString.call(value));
const causeOf = (error: Error): unknown => readOf(() => error.cause);

/** A `cause` chain that leads back to its start can't be revived; such a cause is left out. */
function leadsBack(from: Error): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [causeOf(from), ...aggregated(from)];
  for (let error = open.pop(); open.length > 0 || error !== undefined; error = open.pop()) {
    if (error === from) return true;
    if (!isObject(error) || seen.has(error) || !isError(error)) continue;
    seen.add(error);
    open.push(causeOf(error), ...aggregated(error));
  }
  return false;
}

function aggregated(error: Error): unknown[] {
  return (
    readOf(() => {
      const { errors } = error as { errors?: unknown };
      return error instanceof AggregateError && Array.isArray(errors) ? [...(errors as unknown[])] : [];
    }) ?? []
  );
}

/** Own enumerable properties that can be read. */
function dataOf(error: Error): [string, unknown][] {
  const keys = readOf(() => Object.keys(error)) ?? [];
  return keys.flatMap((key): [string, unknown][] => {
    if (OWN_FIELDS.has(key)) return [];
    const item = readOf(() => ({ value: (error as unknown as Record<string, unknown>)[key] }));
    return item ? [[key, item.value]] : [];
  });
}

/** Not constructed by its class: constructors take what they like, and all that matters is in the payload. */
function ofClass(name: string, message: string, environment: ValueEnvironment): Error {
  const builtIn = Object.hasOwn(BUILT_IN, name) ? BUILT_IN[name] : undefined;
  const { prototype } = environment.errorClass(name) ?? builtIn ?? Error;
  return Object.setPrototypeOf(new Error(message), prototype) as Error;
}

/**
 * Errors always can be carried: what hangs on them and can't (sockets, functions, getters that throw) is left out,
 * because an error report that fails itself would hide its own cause.
 */
export const errorKind: ValueKind = {
  tag: "Error",

  reduce(value, { isData, environment }) {
    if (!isObject(value) || !isError(value)) return undefined;
    const payload: ErrorPayload = {
      name: nameOf(value),
      message: readOf(() => String(value.message)) ?? messageOf(value),
    };
    if (tagOf(value) === "[object DOMException]") payload.dom = true;
    const stack = readOf(() => value.stack);
    if (typeof stack === "string") payload.stack = stack;
    const { errorTexts } = environment;
    if (errorTexts) {
      if (payload.stack !== undefined) payload.stack = mapStack(payload.stack, payload, errorTexts);
      payload.message = errorTexts.withoutFolders(payload.message);
    }
    if (!leadsBack(value)) {
      const caused = readOf(() => ("cause" in value ? { by: value.cause } : undefined));
      if (caused && (isError(caused.by) || isData(caused.by))) payload.cause = caused.by;
      const errors = aggregated(value).filter((error) => isError(error) || isData(error));
      if (errors.length > 0) payload.errors = errors;
    }
    const data = dataOf(value).filter(([, item]) => isData(item));
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
