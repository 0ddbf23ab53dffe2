import { parse } from "devalue";
import type { ErrorReport } from "../engine/options.js";
import { messageOf, nameOf } from "../values/thrown.js";

const PREVIEW_LIMIT = 2_000;

/** Reads recorded values without any code of the app: what only the app could revive is shown by what it is. */
const SHOWN = {
  Error: (payload: { name: string; message: string; stack?: string; cause?: unknown }) => payload,
  AbortSignal: ({ id }: { id: string }) => `[AbortSignal ${id}]`,
  ToolContext: ({ callId }: { callId: string }) => `[context of call ${callId}]`,
  Step: ({ stepId }: { stepId: string }) => `[step ${stepId}]`,
  Stream: ({ direction, name }: { direction: string; name: string }) => `[${direction} stream ${name}]`,
  Instance: ({ classId, data }: { classId: string; data: unknown }) => ({ [`[${classId}]`]: data }),
  View: ({ type, bytes }: { type: string; bytes: ArrayBuffer }) => `[${type} of ${bytes.byteLength} bytes]`,
  Headers: (entries: [string, string][]) => Object.fromEntries(entries),
  HttpMessage: ({
    kind,
    method,
    url,
    status,
  }: {
    kind: string;
    method?: string;
    url?: string;
    status?: number;
  }) => (kind === "request" ? `[request ${method ?? "GET"} ${url ?? ""}]` : `[response ${status ?? 200}]`),
};

/** A recorded value as plain data, for people and JSON. Never runs code of the app. */
export function readValue(text: string): unknown {
  return parse(text, SHOWN);
}

/** A recorded error as it is shown: its stack is already in the author's files. */
export function readError(text: string): ErrorReport {
  return reportOf(readValue(text));
}

function reportOf(value: unknown): ErrorReport {
  if (typeof value !== "object" || value === null || !("message" in value)) {
    return { name: "Error", message: messageOf(value) };
  }
  const { name = "Error", message, stack } = value as { name?: unknown; message: unknown; stack?: unknown };
  return {
    name: nameOf({ name }),
    message: messageOf(message),
    ...(typeof stack === "string" ? { stack } : {}),
  };
}

/** The error of one attempt: what the step itself threw, also where it became the cause of a `StepError`. */
export function readAttemptError(text: string): ErrorReport {
  const value = readValue(text);
  const { name, cause } = (value ?? {}) as { name?: unknown; cause?: unknown };
  return name === "StepError" && cause !== undefined ? reportOf(cause) : reportOf(value);
}

/** One line that says what a recorded value is, cut where it gets long. */
export function preview(text: string): string {
  const shown = JSON.stringify(readValue(text), plain) ?? "undefined";
  return shown.length > PREVIEW_LIMIT ? `${shown.slice(0, PREVIEW_LIMIT - 1)}…` : shown;
}

function plain(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([key, item]) => [String(key), item as unknown]));
  return value instanceof Set ? [...value] : value;
}
