/** The form of log entries, for files that anybody may have changed. */
import { parse } from "devalue";
import { NEUTRAL } from "../log/comparable.js";
import type { LogEvent } from "../log/types.js";
import { messageOf } from "../values/thrown.js";

/** `value`: devalue text. `json`: JSON text. `texts`: a list of texts. A list names the texts that are allowed. */
type Kind = "text" | "number" | "boolean" | "value" | "json" | "texts" | readonly string[];

interface Form {
  must: Record<string, Kind>;
  may?: Record<string, Kind>;
}

const KEY = { key: "text" } as const;
const ATTEMPT = { key: "text", attempt: "number" } as const;
const ASKED = { key: "text", site: "text" } as const;

// By hand: the schema library takes longer to load than a whole replay takes to run.
const FORMS: { readonly [T in LogEvent["type"]]: Form } = {
  "run-started": {
    must: {
      version: "number",
      workflowId: "text",
      buildId: "text",
      args: "value",
      seed: "text",
      nodeMajor: "number",
      eveVersion: "text",
      depth: "number",
    },
    may: {
      tool: "text",
      context: "json",
      entryPoint: ["execute", "task", "serve"],
      url: "text",
      valueSize: "number",
      answerable: "boolean",
      parentRunId: "text",
    },
  },
  "run-ended": {
    must: { status: ["completed", "failed", "cancelled"] },
    may: { output: "value", error: "value" },
  },
  "step-created": { must: { ...ASKED, stepId: "text", args: "value" } },
  "step-started": { must: ATTEMPT },
  "step-completed": { must: { ...ATTEMPT, value: "value" } },
  "step-failed": {
    must: { ...ATTEMPT, error: "value" },
    may: { retryAt: "number", crashed: "boolean", stopped: "boolean", cancelled: "boolean" },
  },
  "sleep-created": { must: { ...ASKED, until: "number" } },
  "sleep-fired": { must: KEY },
  "hook-created": {
    must: { ...ASKED, token: "text", webhook: "boolean" },
    may: { url: "text", metadata: "value", respondWith: "text" },
  },
  "hook-ready": { must: KEY },
  "hook-conflict": { must: { ...KEY, token: "text" } },
  "hook-received": { must: { ...KEY, value: "value" } },
  "hook-disposed": { must: KEY },
  responded: { must: { request: "text", response: "value", by: ["body", "step"] } },
  "ask-created": {
    must: { ...ASKED, requestId: "text", request: "json", signals: "texts" },
    may: { call: "text" },
  },
  "ask-resolved": { must: { ...KEY, answer: "json" } },
  "signal-aborted": { must: { signal: "text", by: ["body", "host"] }, may: { reason: "value" } },
  progress: { must: { value: "json" } },
  "stream-written": { must: { stream: "text", value: "value" } },
  "stream-closed": { must: { stream: "text" } },
  "cancel-requested": { must: {}, may: { reason: "text" } },
  receiving: { must: KEY },
  replied: { must: { ...KEY, value: "json", calls: "texts" } },
  "call-received": { must: { record: "json", input: "value" } },
  "calls-cancelled": { must: { signal: "text" }, may: { reason: "value" } },
  "calls-ended": { must: { reason: "text" } },
  "custom-created": { must: { ...ASKED, name: "text", args: "value" } },
  "custom-resolved": { must: { ...KEY, ok: "boolean", value: "value" } },
};

/** What is wrong with an event, as `<field> <reason>`; undefined when it has the form of its type. */
export function formFault(event: Record<string, unknown>): string | undefined {
  const { type } = event;
  if (typeof type !== "string" || !Object.hasOwn(FORMS, type))
    return `type: ${JSON.stringify(type) ?? "it"} is no entry of this version`;
  const { must, may = {} } = FORMS[type as LogEvent["type"]];
  for (const [name, kind] of Object.entries(must)) {
    const fault = event[name] === undefined ? "it is missing" : fieldFault(event[name], kind);
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  for (const [name, kind] of Object.entries(may)) {
    const fault = event[name] === undefined ? undefined : fieldFault(event[name], kind);
    if (fault !== undefined) return `${name}: ${fault}`;
  }
  return undefined;
}

function fieldFault(value: unknown, kind: Kind): string | undefined {
  if (typeof kind === "object")
    return kind.some((one) => one === value) ? undefined : `it is none of ${kind.join(", ")}`;
  if (kind === "number" || kind === "boolean")
    return typeof value === kind ? undefined : `it isn't a ${kind}`;
  if (kind === "texts")
    return Array.isArray(value) && value.every((one) => typeof one === "string")
      ? undefined
      : "it isn't a list of texts";
  if (typeof value !== "string") return "it isn't a text";
  if (kind === "text") return undefined;
  try {
    if (kind === "json") JSON.parse(value);
    else parse(value, NEUTRAL);
    return undefined;
  } catch (error) {
    return `it can't be read (${messageOf(error)})`;
  }
}
