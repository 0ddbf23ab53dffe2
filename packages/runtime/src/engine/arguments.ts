import { messageOf } from "../values/thrown.js";

const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value) : messageOf(value);

/** Throws a TypeError that names the call and the argument, unless it is a non-empty text. */
export function requireText(call: string, name: string, value: unknown): asserts value is string {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(`${call} takes ${name}, a non-empty text; it got ${shown(value)}.`);
}

/** The same for the arguments of a workflow. */
export function requireList(call: string, name: string, value: unknown): asserts value is readonly unknown[] {
  if (Array.isArray(value)) return;
  throw new TypeError(`${call} takes ${name} as a list; it got ${shown(value)}.`);
}
