import { parse } from "devalue";
import { inspect, isDeepStrictEqual } from "node:util";

const keep = (tag: string) => (payload: unknown) => ({ [`\u0000${tag}`]: payload });

/** Only what must be equal on a replay: errors without their stacks, tool contexts by call id, signals by id. */
export const NEUTRAL = {
  Error: (payload: object) => keep("Error")({ ...payload, stack: undefined }),
  ToolContext: ({ callId }: { callId: string }) => keep("ToolContext")(callId),
  AbortSignal: ({ id }: { id: string }) => keep("AbortSignal")(id),
  Instance: keep("Instance"),
  Step: keep("Step"),
  View: keep("View"),
  HttpMessage: keep("HttpMessage"),
  Headers: keep("Headers"),
  Stream: keep("Stream"),
};

/**
 * Where two encoded values differ, as a path inside the value and both sides in short; undefined when a replay
 * may take them for the same.
 */
export function valueDifference(recorded: string, now: string): string | undefined {
  if (recorded === now) return undefined;
  return differenceOf(parse(recorded, NEUTRAL), parse(now, NEUTRAL));
}

/** The same for two texts of plain JSON. */
export function jsonDifference(recorded: string, now: string): string | undefined {
  return recorded === now ? undefined : differenceOf(JSON.parse(recorded), JSON.parse(now));
}

function differenceOf(a: unknown, b: unknown): string | undefined {
  return isDeepStrictEqual(a, b) ? undefined : (differenceAt("", a, b, new Set()) ?? "the values differ");
}

function differenceAt(path: string, a: unknown, b: unknown, seen: Set<unknown>): string | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  if (!isRecord(a) || !isRecord(b) || seen.has(a)) return `${path || "the value"} ${bothSides(a, b)}`;
  seen.add(a);
  for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
    const inner = differenceAt(`${path}${segment(key, Array.isArray(a))}`, a[key], b[key], seen);
    if (inner !== undefined) return inner;
  }
  return `${path || "the value"} differs`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

function segment(key: string, index: boolean): string {
  if (key.startsWith("\u0000")) return "";
  if (index) return `[${key}]`;
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

/** Longer texts are cut to the part around their first difference. */
const SHOWN = 60;
/** What is kept of the common part before it. */
const BEFORE = 20;

function bothSides(a: unknown, b: unknown): string {
  const [was, is] = [textOf(a), textOf(b)];
  let at = 0;
  while (at < was.length && was[at] === is[at]) at += 1;
  const from = Math.max(was.length, is.length) > SHOWN && at > BEFORE ? at - BEFORE : 0;
  return was === is ? "differs" : `was ${cut(was, from)} and is ${cut(is, from)}`;
}

function cut(text: string, from: number): string {
  const part = text.slice(from, from + SHOWN);
  return `${from > 0 ? "…" : ""}${part}${from + part.length < text.length ? "…" : ""}`;
}

function textOf(value: unknown): string {
  if (value === undefined) return "absent";
  if (typeof value === "string") return JSON.stringify(value);
  const text = inspect(value, { depth: 4, breakLength: Infinity, compact: true });
  // Kinds of values stand under keys that no object of an app has.
  return text.replaceAll(/'\\x00(\w+)':/g, "$1");
}
