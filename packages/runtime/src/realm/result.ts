import { ResultError } from "./errors.js";

/** Objects that `JSON.stringify` would turn into something else than what they are. */
const NOT_JSON = new Set([
  "Date",
  "Map",
  "Set",
  "RegExp",
  "Promise",
  "Error",
  "WeakMap",
  "WeakSet",
  "ArrayBuffer",
]);

/**
 * JSON text of what a tool returns or yields. Unlike `JSON.stringify` nothing is changed on the quiet:
 * only properties that are undefined are left out.
 * @param what names the value in messages: `The result of the tool "deploy"`.
 * @throws ResultError naming the place that isn't JSON.
 */
export function toJson(value: unknown, what: string): string {
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
    const tag = Object.prototype.toString.call(item).slice(8, -1);
    if (NOT_JSON.has(tag) || item instanceof Error) return fail(path, `is a ${tag}`);
    if (ArrayBuffer.isView(item)) return fail(path, `is a ${tag}`);
    open.add(item);
    const plain = content(item, path);
    open.delete(item);
    return plain;
  }

  function content(item: object, path: string): unknown {
    const { toJSON } = item as { toJSON?: unknown };
    if (typeof toJSON === "function") return visit(toJSON.call(item, ""), path);
    if (Array.isArray(item)) {
      return item.map((entry: unknown, n) => (entry === undefined ? null : visit(entry, `${path}[${n}]`)));
    }
    const result: Record<string, unknown> = {};
    for (const [key, entry] of Object.entries(item)) {
      if (entry === undefined) continue;
      const plain = visit(entry, /^[\w$]+$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`);
      Object.defineProperty(result, key, { value: plain, enumerable: true });
    }
    return result;
  }

  return JSON.stringify(visit(value, "it"));
}
