/** What differs between a recorded operation and the one a replay asks for, in words for people. */
import { parse } from "devalue";
import type { DivergentCall } from "../errors/replay.js";
import { iso } from "../inspect/list.js";
import { preview } from "../inspect/values.js";
import { jsonDifference, NEUTRAL, valueDifference } from "../log/comparable.js";
import { stepIdOf } from "../log/state.js";
import type { LogEvent } from "../log/types.js";
import type { Operation, OperationKey } from "../replay/protocol.js";

export type Created = Extract<
  LogEvent,
  { type: "step-created" | "sleep-created" | "hook-created" | "ask-created" | "custom-created" }
>;

export type Keyed = Extract<Operation, { op: "step" | "sleep" | "hook" | "ask" | "custom" }>;

/** Operations without a key of their own: the n-th now must be the n-th recorded. */
export type Ordered =
  | "receiving"
  | "replied"
  | "progress"
  | "stream-written"
  | "stream-closed"
  | "responded"
  | "signal-aborted"
  | "hook-disposed";

export const WORDS: Record<Ordered, string> = {
  receiving: "a call of receive()",
  replied: "a reply",
  progress: "progress that was reported",
  "stream-written": "a chunk that was written",
  "stream-closed": "the end of a stream",
  responded: "the answer to a webhook request",
  "signal-aborted": "the abort of a signal",
  "hook-disposed": "the disposal of a hook",
};

/** Name and message of an encoded error, without reviving anything. */
export function thrown(error: string): string {
  const { name = "Error", message = "" } = parse(error, {
    ...NEUTRAL,
    Error: (payload: object) => payload,
  }) as {
    name?: string;
    message?: string;
  };
  return `${name}: ${message}`;
}

/** No encoded value holds a line break. */
export const streamText = (stream: string, value: string) => `${stream}\n${value}`;
const streamParts = (text: string) => {
  const at = text.lastIndexOf("\n");
  return { stream: text.slice(0, at), value: text.slice(at + 1) };
};

const SHOWN = 200;
const clip = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text);

/** What an operation without a key was asked with, for people. */
export function shownText(kind: Ordered, text: string): string {
  if (kind !== "stream-written") return clip(text);
  const { stream, value } = streamParts(text);
  return clip(`${preview(value)} to ${stream}`);
}

export function orderedDifference(kind: Ordered, recorded: string, now: string): string | undefined {
  if (kind === "progress" || kind === "replied") return jsonDifference(recorded, now);
  if (kind !== "stream-written") return undefined;
  const [a, b] = [streamParts(recorded), streamParts(now)];
  return a.stream === b.stream ? valueDifference(a.value, b.value) : undefined;
}

/** One side of a divergence. `asked` is what both operations and entries hold of what was asked for. */
export function call(kind: string, asked: Asked, at: string | undefined): DivergentCall {
  const { key } = asked;
  const number = Number(key.slice(key.lastIndexOf("#") + 1)) + 1;
  const name = kind === "step" || kind === "custom" ? `${kind} ${stepIdOf(key)}` : kind;
  const value = askedWith(asked);
  return {
    what: `${name} (call ${number})`,
    ...(at ? { at } : {}),
    ...(value === undefined ? {} : { value: clip(value) }),
  };
}

interface Asked {
  key: OperationKey;
  args?: string;
  until?: number;
  request?: string;
}

function askedWith({ args, until, request }: Asked): string | undefined {
  if (args !== undefined) return preview(args);
  if (until !== undefined) return `until ${iso(until)}`;
  return request === undefined
    ? undefined
    : JSON.stringify((JSON.parse(request) as { prompt?: string }).prompt);
}

export function differenceOf(recorded: Created, now: Keyed): string | undefined {
  if (recorded.type === "step-created" && now.op === "step") return inArguments(recorded.args, now.args);
  if (recorded.type === "custom-created" && now.op === "custom") return inArguments(recorded.args, now.args);
  if (recorded.type === "sleep-created" && now.op === "sleep") {
    return recorded.until === now.until
      ? undefined
      : `The sleep ended at ${iso(recorded.until)} and now would end at ${iso(now.until)}`;
  }
  if (recorded.type === "hook-created" && now.op === "hook") {
    if (recorded.token !== now.token) {
      return `The hook's token was ${JSON.stringify(recorded.token)} and is ${JSON.stringify(now.token)}`;
    }
    if (recorded.webhook === now.webhook) return undefined;
    return recorded.webhook ? "It was a webhook and is a hook" : "It was a hook and is a webhook";
  }
  if (recorded.type === "ask-created" && now.op === "ask") {
    const difference = jsonDifference(recorded.request, now.request);
    return difference === undefined ? undefined : `The question differs: ${difference.replace(/^\./, "")}`;
  }
  return "It is another kind of operation";
}

function inArguments(recorded: string, now: string): string | undefined {
  const difference = valueDifference(recorded, now);
  return difference === undefined ? undefined : `The arguments differ: ${difference.replace(/^\[/, "args[")}`;
}
