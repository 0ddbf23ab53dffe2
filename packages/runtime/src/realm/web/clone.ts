import { DOMException } from "../events/exception.js";

const VIEWS = globalThis as unknown as Record<
  string,
  new (buffer: ArrayBuffer, at: number, length: number) => object
>;
const ERROR_NAMES = new Set([
  "EvalError",
  "RangeError",
  "ReferenceError",
  "SyntaxError",
  "TypeError",
  "URIError",
]);

function refuse(value: unknown): never {
  const kind = typeof value === "object" ? Object.prototype.toString.call(value).slice(8, -1) : typeof value;
  throw new DOMException(`A ${kind} could not be cloned.`, "DataCloneError");
}

/**
 * The structured clone algorithm for what exists in this realm. Objects of classes become plain objects, as
 * the algorithm has it; functions, symbols and objects with identity elsewhere are refused.
 */
export function structuredClone(value: unknown, options: { transfer?: unknown[] } = {}): unknown {
  if (options.transfer !== undefined && options.transfer.length > 0) {
    throw new DOMException("Nothing can be transferred in a workflow body.", "DataCloneError");
  }
  return clone(value, new Map());
}

function clone(value: unknown, seen: Map<object, unknown>): unknown {
  if (typeof value === "function" || typeof value === "symbol") refuse(value);
  if (typeof value !== "object" || value === null) return value;
  if (seen.has(value)) return seen.get(value);
  const copy = shell(value, seen);
  seen.set(value, copy);
  fill(value, copy, seen);
  return copy;
}

/** The copy before its contents, so that cycles find it. */
function shell(value: object, seen: Map<object, unknown>): object {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (Array.isArray(value)) return Object.assign([], { length: value.length });
  if (value instanceof Date) return new Date(value.getTime());
  if (value instanceof RegExp) return new RegExp(value.source, value.flags);
  if (value instanceof Map) return new Map();
  if (value instanceof Set) return new Set();
  if (value instanceof ArrayBuffer) return value.slice(0);
  if (ArrayBuffer.isView(value)) {
    const buffer = clone(value.buffer, seen) as ArrayBuffer;
    const length = "length" in value ? (value.length as number) : value.byteLength;
    return new (VIEWS[tag] ?? refuse(value))(buffer, value.byteOffset, length);
  }
  if (value instanceof Error) return clonedError(value);
  if (/^(?:Boolean|Number|String|BigInt)$/.test(tag)) return Object(value.valueOf()) as object;
  if (tag !== "Object") refuse(value);
  return {};
}

function clonedError(error: Error): Error {
  const name = ERROR_NAMES.has(error.name) ? error.name : "Error";
  const Class = (globalThis as unknown as Record<string, ErrorConstructor>)[name] ?? Error;
  const copy = new Class(error.message);
  Object.defineProperty(copy, "stack", { value: error.stack, configurable: true, writable: true });
  return copy;
}

function fill(from: object, to: object, seen: Map<object, unknown>): void {
  if (from instanceof Map) {
    for (const [key, item] of from) (to as Map<unknown, unknown>).set(clone(key, seen), clone(item, seen));
  } else if (from instanceof Set) {
    for (const item of from) (to as Set<unknown>).add(clone(item, seen));
  } else if (from instanceof Error) {
    if ("cause" in from) {
      Object.defineProperty(to, "cause", {
        value: clone(from.cause, seen),
        configurable: true,
        writable: true,
      });
    }
  } else if (Array.isArray(from) || Object.getPrototypeOf(to) === Object.prototype) {
    for (const [key, item] of Object.entries(from)) {
      const value = clone(item, seen);
      Object.defineProperty(to, key, { value, configurable: true, enumerable: true, writable: true });
    }
  }
}
