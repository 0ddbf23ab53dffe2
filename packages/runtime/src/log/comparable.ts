import { parse } from "devalue";
import { isDeepStrictEqual } from "node:util";

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
  const a: unknown = parse(recorded, NEUTRAL);
  const b: unknown = parse(now, NEUTRAL);
  if (isDeepStrictEqual(a, b)) return undefined;
  return differenceAt("", a, b, new Set()) ?? "the values differ";
}

function differenceAt(path: string, a: unknown, b: unknown, seen: Set<unknown>): string | undefined {
  if (isDeepStrictEqual(a, b)) return undefined;
  if (!isRecord(a) || !isRecord(b) || seen.has(a))
    return `${path || "the value"} was ${short(a)} and is ${short(b)}`;
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

function short(value: unknown): string {
  if (value === undefined) return "absent";
  const text =
    typeof value === "object" && value !== null ? JSON.stringify(value) : JSON.stringify(value, bigint);
  const readable = text ?? String(value);
  return readable.length > 60 ? `${readable.slice(0, 57)}…` : readable;
}

const bigint = (_key: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
