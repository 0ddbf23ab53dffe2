/**
 * Compares what a body asks for on replay with what its log recorded. An operation is known by its key, so
 * independent branches may be asked for in another order; what belongs to one key must be the same.
 */
import { ReplayDivergenceError, type DivergentCall } from "../errors/replay.js";
import { valueDifference } from "../log/comparable.js";
import type { RunEnded, RunStarted } from "../log/state.js";
import type { LogEntry, LogEvent } from "../log/types.js";
import {
  call,
  differenceOf,
  orderedDifference,
  shownText,
  streamText,
  thrown,
  WORDS,
  type Created,
  type Keyed,
  type Ordered,
} from "./divergence.js";
import type { CallSite, Operation, OperationKey, Outcome } from "../replay/protocol.js";

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
        this.#diverge({
          difference: `The code leaves out ${WORDS[kind]}`,
          recorded: { what: `${WORDS[kind]} (number ${at + 1})`, value: shownText(kind, left) },
        });
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
      this.#diverge({
        difference: `The run was ${recorded.status} and now is ${now.status}`,
        ...(now.status === "failed" ? { now: { what: `the body throws ${thrown(now.error)}` } } : {}),
        ...(recorded.error === undefined
          ? {}
          : { recorded: { what: `the body threw ${thrown(recorded.error)}` } }),
      });
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

  #keyed(operation: Keyed): void {
    const recorded = this.#created.get(operation.key);
    if (!recorded) {
      const expected = this.#firstUnasked();
      this.#diverge({
        difference: expected
          ? "The code asks for something else"
          : "The code asks for something the log doesn't have",
        now: this.#callNow(operation),
        ...(expected ? { recorded: this.#callRecorded(expected) } : {}),
      });
    }
    const difference = differenceOf(recorded, operation);
    // A sleep that begins at another time mostly follows from what was left out before it.
    const before = difference !== undefined && operation.op === "sleep" ? this.#firstUnasked() : recorded;
    if (before && before !== recorded) {
      this.#diverge({
        difference: "The code asks for something else",
        now: this.#callNow(operation),
        recorded: this.#callRecorded(before),
      });
    }
    if (difference !== undefined) {
      this.#diverge({
        difference,
        now: this.#callNow(operation),
        recorded: this.#callRecorded(recorded),
      });
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
    const value = shownText(kind, now);
    if (recorded === undefined) {
      this.#diverge({ difference: `The log doesn't have ${number}`, now: { what: number, value } });
    }
    const difference = orderedDifference(kind, recorded, now);
    this.#diverge({
      difference: `It differs in ${number}${difference === undefined ? "" : `: ${difference}`}`,
      now: { what: number, value },
      recorded: { what: number, value: shownText(kind, recorded) },
    });
  }

  #missing(recorded: Created): never {
    return this.#diverge({
      difference: "The code no longer asks for something the log has",
      recorded: this.#callRecorded(recorded),
    });
  }

  #callNow(operation: Keyed): DivergentCall {
    return call(operation.op, operation, this.#options.placeNow(operation.site));
  }

  #callRecorded(created: Created): DivergentCall {
    return call(created.type.replace("-created", ""), created, this.#options.placeRecorded(created.site));
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
