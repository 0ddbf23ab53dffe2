import { PendingBytes } from "./environment.js";

/** Says in words what a value is that can't be carried, and what to do instead where there is an answer. */
export function describeUncarriable(value: unknown, reason: string): string {
  if (typeof value === "function") return "is a function";
  if (typeof value === "symbol") return "is a symbol";
  if (typeof value !== "object" || value === null) return `can't be carried (${reason})`;
  if (value instanceof PendingBytes) return "has to be read first: encode the value asynchronously";
  if (TOOL_CONTEXT in value) return "is the tool context, which can only be passed as an argument of its own";
  if (HOOK in value) return "is a hook: pass its token, or await it first";
  if (/symbolic keys/.test(reason)) return "has a key that is a symbol";
  if (/__proto__/.test(reason)) return "has a key named __proto__";
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  if (tag === "Promise") return "is a promise: await it first";
  const name: unknown = (value as { constructor?: { name?: unknown } }).constructor?.name;
  if (tag !== "Object") return `is a ${tag}, which can't be carried`;
  return typeof name === "string" && name !== "" && name !== "Object"
    ? `is an instance of class ${name}: pass plain data, or give the class static [Symbol.for("workflow-serialize")] and [Symbol.for("workflow-deserialize")] methods`
    : "is an object with a prototype of its own";
}

/** Marks objects that have a better explanation than "not a plain object". */
export const TOOL_CONTEXT = Symbol.for("eve.toolContext");
export const HOOK = Symbol.for("eve.hook");
