import { stringify } from "devalue";
import type { Delivery } from "../replay/protocol.js";
import type { LogEntry } from "./types.js";

/** devalue text of `undefined`: what a sleep resolves with. */
const NOTHING = stringify(undefined);

/**
 * What an entry tells the body, or undefined when it only records what the body or the engine did. Live and on
 * replay a body is told of an entry by this function alone, so both are the same.
 */
export function deliveryOf({ at, event }: LogEntry): Delivery | undefined {
  switch (event.type) {
    case "run-started":
      return { at, type: "start" };
    case "step-completed":
      return { at, type: "resolve", key: event.key, value: event.value };
    case "step-failed":
      return event.retryAt === undefined
        ? { at, type: "reject", key: event.key, error: event.error }
        : undefined;
    case "sleep-fired":
      return { at, type: "resolve", key: event.key, value: NOTHING };
    case "hook-ready":
      return { at, type: "hook-ready", key: event.key };
    case "hook-conflict":
      return { at, type: "hook-conflict", key: event.key, token: event.token, runId: event.runId };
    case "hook-received":
      return { at, type: "payload", key: event.key, value: event.value };
    case "ask-resolved":
      return { at, type: "resolve", key: event.key, value: stringify(JSON.parse(event.answer)) };
    case "custom-resolved":
      return event.ok
        ? { at, type: "resolve", key: event.key, value: event.value }
        : { at, type: "reject", key: event.key, error: event.value };
    case "signal-aborted":
      if (event.by === "body") return undefined;
      return {
        at,
        type: "abort",
        signal: event.signal,
        ...(event.reason === undefined ? {} : { reason: event.reason }),
      };
    case "call-received":
      return { at, type: "call", record: event.record, input: event.input };
    case "calls-cancelled":
      return {
        at,
        type: "calls-cancelled",
        signal: event.signal,
        ...(event.reason === undefined ? {} : { reason: event.reason }),
      };
    case "calls-ended":
      return { at, type: "calls-ended", reason: event.reason };
    case "run-ended":
    case "step-created":
    case "step-started":
    case "sleep-created":
    case "hook-created":
    case "hook-disposed":
    case "responded":
    case "ask-created":
    case "progress":
    case "stream-written":
    case "stream-closed":
    case "cancel-requested":
    case "custom-created":
    case "receiving":
    case "replied":
      return undefined;
    default:
      return event satisfies never;
  }
}
