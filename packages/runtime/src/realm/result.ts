import { nameOf } from "../values/thrown.js";
import { ResultError } from "./errors.js";

/** Longer lists aren't written out, nor are lists that are mostly holes. */
const MAX_ELEMENTS = 5_000_000;

/** What an object is when it is no plain one: `JSON.stringify` would turn it into something else, or into `{}`. */
function describeClass(item: object): string {
  const tag = Object.prototype.toString.call(item).slice(8, -1);
  if (item instanceof Error) {
    const name = nameOf(item);
    return name === "Error" ? "is an Error" : `is an Error (${name})`;
  }
  if (tag !== "Object") return `is ${/^(?:[AEIO]|U(?!int|RL))/.test(tag) ? "an" : "a"} ${tag}`;
  const name: unknown = (item as { constructor?: { name?: unknown } }).constructor?.name;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `is an instance of class ${name}`
    : "is an object with a prototype of its own";
}

function isPlain(item: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(item);
  return prototype === null || prototype === Object.prototype;
}

/**
 * JSON text of what a tool returns or yields. Unlike `JSON.stringify` nothing is changed on the quiet:
 * only properties that are undefined are left out.
 * @param what names the value in messages: `The result of the tool "deploy"`.
 * @param root what the value itself is called in them: `output`, `progress`.
 * @throws ResultError naming the place that isn't JSON.
 */
export function toJson(value: unknown, what: string, root: string): string {
  const fail = (path: string, reason: string): never => {
    throw new ResultError(`${what} isn't JSON: ${path} ${reason}.`);
  };
  const open = new Set<object>();

  function visit(item: unknown, path: string): unknown {
    if (item === null || typeof item === "string" || typeof item === "boolean") return item;
    if (typeof item === "number") return Number.isFinite(item) ? item : fail(path, `is ${item}`);
    if (typeof item === "bigint") return fail(path, "is a BigInt");
    if (typeof item !== "object") return fail(path, `is a ${typeof item}`);
    if (open.has(item)) return fail(path, "refers back to a value that holds it (a cycle)");
    // Their toJSON would turn them into something else on the quiet.
    if (item instanceof Date || item instanceof Error) return fail(path, describeClass(item));
    open.add(item);
    const plain = content(item, path);
    open.delete(item);
    return plain;
  }

  function content(item: object, path: string): unknown {
    const { toJSON } = item as { toJSON?: unknown };
    if (typeof toJSON === "function") return visit(toJSON.call(item, ""), path);
    if (Array.isArray(item)) {
      const { length } = item;
      if (length > MAX_ELEMENTS)
        return fail(path, `has ${length} elements; at most ${MAX_ELEMENTS} are taken`);
      return item.map((entry: unknown, n) => (entry === undefined ? null : visit(entry, `${path}[${n}]`)));
    }
    if (!isPlain(item)) return fail(path, describeClass(item));
    const result: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(item)) {
      if (entry === undefined) continue;
      const plain = visit(entry, /^[\w$]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`);
      Object.defineProperty(result, key, { value: plain, enumerable: true });
    }
    return result;
  }

  return JSON.stringify(visit(value, root));
}
