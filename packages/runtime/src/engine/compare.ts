/**
 * Compares what a body asks for on replay with what its log recorded. An operation is known by its key, so
 * independent branches may be asked for in another order; what belongs to one key must be the same.
 */
import { ReplayDivergenceError, type DivergentCall } from "../errors/replay.js";
import { parse } from "devalue";
import { NEUTRAL, valueDifference } from "../log/comparable.js";
import { stepIdOf, type RunEnded, type RunStarted } from "../log/state.js";
import type { LogEntry, LogEvent } from "../log/types.js";
import type { CallSite, Operation, OperationKey, Outcome } from "../replay/protocol.js";

type Created = Extract<
  LogEvent,
  { type: "step-created" | "sleep-created" | "hook-created" | "ask-created" | "custom-created" }
>;

/** Operations without a key of their own: the n-th now must be the n-th recorded. */
type Ordered =
  | "receiving"
  | "replied"
  | "progress"
  | "stream-written"
  | "stream-closed"
  | "responded"
  | "signal-aborted"
  | "hook-disposed";

export interface CompareOptions {
  runId: string;
  started: RunStarted;
  /** Author's place of a call site of the bundle that replays. */
  placeNow(site: CallSite): string | undefined;
  /** The same of the bundle that recorded it. */
  placeRecorded(site: CallSite): string | undefined;
  nodeMajor: number;
  /** The log holds a steering message's abort: a rejection then counts as the recorded completion. */
  interrupted: boolean;
}

/** Feeds on the operations of a replay and throws `ReplayDivergenceError` at the first one that differs. */
export class ReplayComparison {
  readonly #options: CompareOptions;
  readonly #created = new Map<OperationKey, Created>();
  readonly #ordered: Record<Ordered, string[]> = {
    receiving: [],
    replied: [],
    progress: [],
    "stream-written": [],
    "stream-closed": [],
    responded: [],
    "signal-aborted": [],
    "hook-disposed": [],
  };
  readonly #position = new Map<Ordered, number>();
  readonly #asked = new Set<OperationKey>();

  constructor(entries: readonly LogEntry[], options: CompareOptions) {
    this.#options = options;
    for (const { event } of entries) this.#record(event);
  }

  #record(event: LogEvent): void {
    switch (event.type) {
      case "step-created":
      case "sleep-created":
      case "hook-created":
      case "ask-created":
      case "custom-created":
        this.#created.set(event.key, event);
        return;
      case "progress":
        this.#ordered.progress.push(event.value);
        return;
      case "stream-written":
        this.#ordered["stream-written"].push(streamText(event.stream, event.value));
        return;
      case "stream-closed":
        this.#ordered["stream-closed"].push(event.stream);
        return;
      case "responded":
        if (event.by === "body") this.#ordered.responded.push(event.request);
        return;
      case "signal-aborted":
        if (event.by === "body") this.#ordered["signal-aborted"].push(event.signal);
        return;
      case "hook-disposed":
      case "receiving":
        this.#ordered[event.type].push(event.key);
        return;
      case "replied":
        this.#ordered.replied.push(event.value);
        return;
      default:
    }
  }

  /** One operation that the body asks for now. */
  operation(operation: Operation): void {
    switch (operation.op) {
      case "step":
      case "sleep":
      case "hook":
      case "ask":
      case "custom":
        this.#keyed(operation);
        return;
      case "progress":
        this.#next("progress", operation.value, "progress reported with `yield`");
        return;
      case "stream-write":
        this.#next(
          "stream-written",
          streamText(operation.stream, operation.value),
          "a chunk written to a stream",
        );
        return;
      case "stream-close":
        this.#next("stream-closed", operation.stream, "the end of a stream");
        return;
      case "respond":
        this.#next("responded", operation.request, "the answer to a webhook request");
        return;
      case "abort":
        this.#next("signal-aborted", operation.signal, "the abort of a signal");
        return;
      case "hook-dispose":
        this.#next("hook-disposed", operation.key, "the disposal of a hook");
        return;
      case "receive":
        this.#next("receiving", operation.key, "a call of receive()");
        return;
      case "reply":
        this.#next("replied", operation.value, "a reply");
        return;
      case "ask-withdraw":
        // Whether a question could still be withdrawn was decided, and recorded, as its resolution.
        return;
      default:
        operation satisfies never;
    }
  }

  /** Before the log's next delivery reaches the body: it must have asked for what is delivered. */
  beforeDelivery(key: OperationKey | undefined): void {
    if (key === undefined || this.#asked.has(key)) return;
    const recorded = this.#created.get(key);
    if (recorded) this.#missing(recorded);
  }

  /** After the last entry: everything recorded must have been asked for. */
  finish(): void {
    for (const [key, recorded] of this.#created) if (!this.#asked.has(key)) this.#missing(recorded);
    for (const kind of Object.keys(this.#ordered) as Ordered[]) {
      const at = this.#position.get(kind) ?? 0;
      const left = this.#ordered[kind][at];
      if (left !== undefined) {
        this.#diverge({ difference: `The code leaves out ${WORDS[kind]}`, recorded: { what: clip(left) } });
      }
    }
  }

  /** The body ended, and the log goes on. */
  endedEarly(outcome: Outcome): never {
    const left = this.#firstUnasked();
    return this.#diverge({
      difference: "The body ends where the log goes on",
      now: {
        what:
          outcome.status === "completed" ? "the body returns" : `the body throws ${thrown(outcome.error)}`,
      },
      ...(left ? { recorded: this.#callRecorded(left) } : {}),
    });
  }

  /** The end of a recorded run: the body must end the same way. */
  outcome(recorded: RunEnded, now: Outcome | undefined): void {
    // A cancelled run may have been ended without its body; a failed one by the engine itself.
    if (recorded.status === "cancelled") return;
    if (!now) {
      if (recorded.status === "completed") this.#diverge({ difference: "The body doesn't end where it did" });
      return;
    }
    // A body that rejected after a steering message was settled as interrupted.
    const interrupted =
      recorded.status === "completed" && now.status === "failed" && this.#options.interrupted;
    if (interrupted) return;
    if (now.status !== recorded.status) {
      this.#diverge({ difference: `The run was ${recorded.status} and now is ${now.status}` });
    }
    if (now.status === "completed" && recorded.output !== undefined) {
      const difference = valueDifference(recorded.output, now.output);
      if (difference !== undefined) this.#diverge({ difference: `The result differs: ${difference}` });
    }
  }

  /** Throws a divergence that a caller found by itself. */
  diverge(difference: string, sides: { now?: DivergentCall; recorded?: DivergentCall } = {}): never {
    return this.#diverge({ difference, ...sides });
  }

  #keyed(operation: Extract<Operation, { op: "step" | "sleep" | "hook" | "ask" | "custom" }>): void {
    const recorded = this.#created.get(operation.key);
    const now = this.#callNow(operation);
    if (!recorded) {
      const expected = this.#firstUnasked();
      this.#diverge({
        difference: expected
          ? "The code asks for something else"
          : "The code asks for something the log doesn't have",
        now,
        ...(expected ? { recorded: this.#callRecorded(expected) } : {}),
      });
    }
    const difference = differenceOf(recorded, operation);
    if (difference !== undefined) {
      this.#diverge({ difference, now, recorded: this.#callRecorded(recorded) });
    }
    this.#asked.add(operation.key);
  }

  #firstUnasked(): Created | undefined {
    for (const [key, created] of this.#created) if (!this.#asked.has(key)) return created;
    return undefined;
  }

  #next(kind: Ordered, now: string, words: string): void {
    const at = this.#position.get(kind) ?? 0;
    this.#position.set(kind, at + 1);
    const recorded = this.#ordered[kind][at];
    if (recorded === now) return;
    const number = `${words} (number ${at + 1})`;
    if (recorded === undefined) {
      this.#diverge({ difference: `The log doesn't have ${number}`, now: { what: clip(now) } });
    }
    this.#diverge({
      difference: `It differs in ${number}`,
      now: { what: clip(now) },
      recorded: { what: clip(recorded) },
    });
  }

  #missing(recorded: Created): never {
    return this.#diverge({
      difference: "The code no longer asks for something the log has",
      recorded: this.#callRecorded(recorded),
    });
  }

  #callNow(operation: { key: OperationKey; site: CallSite; op: string }): DivergentCall {
    return call(operation.op, operation.key, this.#options.placeNow(operation.site));
  }

  #callRecorded(created: Created): DivergentCall {
    return call(created.type.replace("-created", ""), created.key, this.#options.placeRecorded(created.site));
  }

  #diverge(details: { difference: string; now?: DivergentCall; recorded?: DivergentCall }): never {
    const { runId, started, nodeMajor } = this.#options;
    throw new ReplayDivergenceError({
      runId,
      ...details,
      nodeMajor: { recorded: started.nodeMajor, now: nodeMajor },
    });
  }
}

const WORDS: Record<Ordered, string> = {
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
function thrown(error: string): string {
  const { name = "Error", message = "" } = parse(error, {
    ...NEUTRAL,
    Error: (payload: object) => payload,
  }) as {
    name?: string;
    message?: string;
  };
  return `${name}: ${message}`;
}

const streamText = (stream: string, value: string) => `${stream} ${value}`;
const clip = (text: string) => (text.length > 200 ? `${text.slice(0, 199)}…` : text);

function call(kind: string, key: OperationKey, at: string | undefined): DivergentCall {
  const number = Number(key.slice(key.lastIndexOf("#") + 1)) + 1;
  const name = kind === "step" || kind === "custom" ? `${kind} ${stepIdOf(key)}` : kind;
  return { what: `${name} (call ${number})`, ...(at === undefined ? {} : { at }) };
}

function differenceOf(
  recorded: Created,
  now: Extract<Operation, { op: "step" | "sleep" | "hook" | "ask" | "custom" }>,
): string | undefined {
  if (recorded.type === "step-created" && now.op === "step") return inArguments(recorded.args, now.args);
  if (recorded.type === "custom-created" && now.op === "custom") return inArguments(recorded.args, now.args);
  if (recorded.type === "sleep-created" && now.op === "sleep") {
    return recorded.until === now.until
      ? undefined
      : `The sleep ended at ${new Date(recorded.until).toISOString()} and now would end at ${new Date(now.until).toISOString()}`;
  }
  if (recorded.type === "hook-created" && now.op === "hook") {
    if (recorded.token !== now.token) return "The hook's token differs";
    return recorded.webhook === now.webhook ? undefined : "A hook became a webhook, or the other way round";
  }
  if (recorded.type === "ask-created" && now.op === "ask") {
    return recorded.request === now.request ? undefined : "The question differs";
  }
  return "It is another kind of operation";
}

function inArguments(recorded: string, now: string): string | undefined {
  const difference = valueDifference(recorded, now);
  return difference === undefined ? undefined : `The arguments differ: ${difference.replace(/^\[/, "args[")}`;
}
