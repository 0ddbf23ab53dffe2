import { stringify } from "devalue";
import { deliveryOf } from "../log/delivery.js";
import { applyEntry, CALL_SIGNAL, dueSleeps, statusOf, type RunState } from "../log/state.js";
import type { LogEntry, LogEvent } from "../log/types.js";
import type { Operation, OperationKey, Outcome, PumpResult } from "../replay/protocol.js";
import type { OutboxKind } from "../store/types.js";
import type { Slot } from "../steps/slots.js";
import { tellErrors } from "../values/stacks.js";
import type { Actor } from "./actor.js";
import { emptyDraft, type Draft } from "./draft.js";
import { ackOf, type Input } from "./inputs.js";

/** What a body that rejects because a new message stopped it settles as. */
const INTERRUPTED = stringify({ interrupted: true });

/** A steering message aborted the signal of an `execute` call (a cancellation is told apart before). */
const wasSteered = ({ aborted, started }: RunState) =>
  started.entryPoint === "execute" && aborted.has(CALL_SIGNAL);

/** What a turn needs of the engine besides the run itself. */
export interface TurnHost {
  now(): number;
  applyOperation(turn: Turn, operation: Operation): void;
  /** Throws when something the pump asked of the host couldn't be told at once. */
  checkFacts(): void;
  queueStep(actor: Actor, key: OperationKey): void;
  giveBack(slot: Slot): void;
}

/**
 * One run's share of a transaction: inputs are told to the body one after the other, and what the body asks for
 * is collected. Nothing leaves this object before the commit.
 */
export class Turn {
  readonly actor: Actor;
  readonly draft: Draft;
  /** Inputs taken in, in order: put back when the commit fails. */
  readonly taken: Input[] = [];
  /** What the run itself brings about and is told next, before anything from outside. */
  readonly internal: Input[] = [];
  /** Sleeps that were due before the next input came: told before it, after what is internal. */
  readonly #overdue: Input[] = [];
  /** The input whose overdue sleeps are found. */
  #timely: Input | undefined;
  /** Done after the commit, in order. */
  readonly effects: (() => void)[] = [];
  /** Slots of steps that start with this turn: given back when it is abandoned. */
  readonly slots: Slot[] = [];
  readonly console: PumpResult["console"] = [];
  readonly #host: TurnHost;

  constructor(actor: Actor, host: TurnHost) {
    this.actor = actor;
    this.#host = host;
    this.draft = emptyDraft(actor.runId, actor.epoch);
  }

  get changed(): boolean {
    return this.draft.entries.length > 0 || this.draft.create !== undefined;
  }

  get ended(): boolean {
    return this.actor.state.ended !== undefined;
  }

  /** The next input from outside; sleeps that were due when it came go first, however late their timer is. */
  next(): Input | undefined {
    const overdue = this.#overdue.shift();
    if (overdue) return overdue;
    const [input] = this.actor.inbox;
    if (!input) return undefined;
    if (input.arrivedAt !== undefined && this.#timely !== input) {
      this.#timely = input;
      for (const key of dueSleeps(this.actor.state, input.arrivedAt))
        this.#overdue.push({ type: "sleep", key });
      if (this.#overdue.length > 0) return this.#overdue.shift();
    }
    this.actor.inbox.shift();
    this.taken.push(input);
    return input;
  }

  /** Time of the next entry: the wall clock, but never before the entry before it. */
  time(): number {
    return Math.max(this.#host.now(), this.actor.state.lastAt);
  }

  /** Adds an entry; the state follows at once, the store with the commit. */
  append(event: LogEvent, at = this.time()): LogEntry {
    const entry: LogEntry = { seq: this.actor.state.nextSeq, at, event };
    applyEntry(this.actor.state, entry);
    this.draft.entries.push(entry);
    return entry;
  }

  /** Adds an entry, tells the body of it and takes up what the body asks for. */
  deliver(event: LogEvent): void {
    this.tell(this.append(event));
  }

  /** Tells the body of an entry. */
  tell(entry: LogEntry): void {
    const delivery = deliveryOf(entry);
    if (!delivery) return;
    const result = this.actor.body.pump(delivery);
    this.#host.checkFacts();
    this.console.push(...result.console);
    for (const operation of result.operations) this.#host.applyOperation(this, operation);
    if (result.outcome) this.#end(result.outcome);
  }

  /** Ends the run. What it still waited for is withdrawn. */
  end(event: Extract<LogEvent, { type: "run-ended" }>): void {
    const entry = this.append(event);
    this.draft.endedAt = entry.at;
    this.send("ended", entry, event);
  }

  #end(outcome: Outcome): void {
    // A cancelled run ends as cancelled whatever its body still returned or threw.
    if (this.actor.state.cancel) this.end({ type: "run-ended", status: "cancelled" });
    else if (outcome.status === "completed") {
      this.end({ type: "run-ended", status: "completed", output: outcome.output });
    } else if (wasSteered(this.actor.state)) {
      this.end({ type: "run-ended", status: "completed", output: INTERRUPTED });
    } else {
      const error = tellErrors(outcome.error, this.actor.build);
      this.end({ type: "run-ended", status: "failed", error });
    }
  }

  /** An outward message of the run, stored with the entry it belongs to. */
  send(kind: OutboxKind, entry: LogEntry, body: unknown): void {
    const { target } = this.actor.row;
    if (target === undefined) return;
    this.draft.outbox.push({
      id: `${this.actor.runId}:${entry.seq}`,
      target,
      runId: this.actor.runId,
      kind,
      body: JSON.stringify(body),
    });
  }

  /** A step is to be run as soon as a slot is free. */
  queueStep(key: OperationKey): void {
    this.#host.queueStep(this.actor, key);
  }

  /** The last touch before the commit: a changed status is part of it. */
  finish(): void {
    const status = statusOf(this.actor.state);
    if (status !== this.actor.storedStatus || this.draft.create) this.draft.status = status;
    if (this.draft.create) {
      this.draft.create = { ...this.draft.create, status };
      if (!this.ended) delete this.draft.status;
    }
  }

  /** After the commit. */
  committed(): void {
    this.actor.unborn = false;
    this.actor.storedStatus = statusOf(this.actor.state);
    for (const effect of this.effects) effect();
  }

  /**
   * The transaction didn't come about. What was taken in is told again after a replay; with `error`, who waits
   * for an acknowledgement is told instead.
   */
  abandon(error?: unknown): void {
    const keep: Input[] = [];
    for (const input of this.taken) {
      const ack = error === undefined ? undefined : ackOf(input);
      if (ack) ack.reject(error);
      else keep.push(input);
    }
    this.actor.inbox.unshift(...keep);
    for (const slot of this.slots) this.#host.giveBack(slot);
    this.actor.stale = true;
  }
}
