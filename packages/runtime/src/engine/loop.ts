import process from "node:process";
import { HookTakenError, OwnershipLostError } from "../errors/store.js";
import { EngineClosedError, RunEndedError } from "../errors/engine.js";
import type { RunWrite, Store } from "../store/types.js";
import type { Actor } from "./actor.js";
import { toWrite } from "./draft.js";
import { ackOf, type Ack, type Input } from "./inputs.js";
import type { FaultPoint, Problem } from "./options.js";
import { Turn, type TurnHost } from "./turn.js";

/** Thrown out of a turn when a webhook is created before the server listens: the turn is done again once it does. */
export class AddressNeededError extends Error {
  constructor() {
    super("The address of the server isn't known yet");
  }
}

/** How many times a run may bring about its own next input within one transaction. */
const INTERNAL_LIMIT = 20_000;
/** How long a run that is alone may go on, step by step, before the event loop gets its turn: milliseconds. */
const PATIENCE = 4;
/** Pause before a failed commit is tried again, in milliseconds. */
const COMMIT_PAUSE = 1_000;

export interface LoopHost extends TurnHost {
  accept(turn: Turn, input: Input): void;
  /** Gives waiting steps their slots; `turnOf` opens the turn that the start is recorded in. */
  assignSteps(turnOf: (actor: Actor) => Turn): void;
  /** Replays a run whose context doesn't fit its log any more. */
  reload(actor: Actor): Promise<void>;
  /** After the commit of a turn. */
  committed(turn: Turn): void;
  /** What was counted for a turn that didn't come about is to be forgotten. */
  abandoned(actor: Actor): void;
  /** A run that isn't stored yet couldn't be started: its caller is told, and nothing is left of it. */
  stillborn(actor: Actor, error: unknown): void;
  hookTaken(error: HookTakenError): void;
  /** Another process owns the run. */
  lost(runId: string): void;
  /** When a turn only lacks a fact that has to be waited for: the promise of it. */
  missingFact(error: unknown): Promise<void> | undefined;
  /** devalue text of an error of the engine. */
  encodeError(actor: Actor, error: unknown): string;
  after(ms: number, work: () => void): void;
  problem(problem: Problem): void;
  faults?: ((point: FaultPoint) => void) | undefined;
}

/** A write besides the runs' own turns (stream chunks of steps), with who waits for it. */
export interface SideWrite {
  write: RunWrite;
  ack: Ack<void>;
}

/**
 * Takes inputs in and commits what follows from them. All runs that have something to do at the same tick share
 * one transaction, and while it is being committed nothing reaches their bodies.
 */
export class CommitLoop {
  readonly #store: Store;
  readonly #host: LoopHost;
  readonly #ready = new Set<Actor>();
  readonly #turnHost: TurnHost;
  #side: SideWrite[] = [];
  #scheduled = false;
  #running = false;
  /** When this turn of the event loop began, as far as is known. */
  #turnBegan = 0;
  #stopped = false;
  #commits = 0;
  #idle: (() => void)[] = [];

  constructor(store: Store, host: LoopHost) {
    this.#store = store;
    this.#host = host;
    this.#turnHost = host;
  }

  /** Adds an input to a run in memory. */
  enqueue(actor: Actor, input: Input): void {
    if (actor.gone) return this.#refuse(actor, input);
    // No tick comes that could take it in.
    if (this.#stopped) return ackOf(input)?.reject(new EngineClosedError());
    actor.inbox.push(input);
    this.wake(actor);
  }

  wake(actor: Actor): void {
    this.#ready.add(actor);
    this.schedule();
  }

  writeAlong(side: SideWrite): void {
    this.#side.push(side);
    this.schedule();
  }

  /**
   * Adds the outcome of a step. It waits for the end of the event loop's turn, so that others share its commit; when no
   * other step runs (`isLast`), there is nobody to wait for but what the step itself left in `process.nextTick`, where
   * streams throw their errors: that still counts as the step's.
   */
  enqueueOutcome(actor: Actor, input: Input, isLast: boolean): void {
    if (actor.gone) return this.#refuse(actor, input);
    actor.inbox.push(input);
    this.#ready.add(actor);
    if (!isLast || !this.#mayGoOn()) return this.schedule();
    this.#scheduled = true;
    process.nextTick(this.#afterStep);
  }

  #mayGoOn(): boolean {
    const isFree = !this.#scheduled && !this.#running && !this.#stopped;
    const isAlone = this.#ready.size === 1 && this.#side.length === 0;
    return isFree && isAlone && performance.now() - this.#turnBegan < PATIENCE;
  }

  /** Runs a tick soon: after what else happens in this turn of the event loop, so that it shares the commit. */
  schedule(): void {
    if (this.#scheduled || this.#running || this.#stopped) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#turnBegan = performance.now();
      this.#begin();
    });
  }

  // Twice, as errors of streams may come by two. Made once: there is one for every step.
  readonly #afterStep = (): void => process.nextTick(this.#beginNow);
  readonly #beginNow = (): void => this.#begin();

  #begin(): void {
    this.#scheduled = false;
    // Stopped meanwhile: nobody is kept waiting for a tick that doesn't come.
    if (this.#stopped) this.#tellIdle();
    else this.#run();
  }

  /** Resolves when there is nothing left to take in. */
  idle(): Promise<void> {
    if (!this.#scheduled && !this.#running) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** No tick begins any more. */
  stop(): void {
    this.#stopped = true;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  /** One tick. What is there already isn't awaited: while async context is followed, every promise costs. */
  #run(): void {
    this.#running = true;
    let pending: Promise<void> | undefined;
    try {
      pending = this.#tick();
    } finally {
      if (!pending) this.#rest();
    }
    if (pending) void pending.finally(() => this.#rest());
  }

  /** Timers, I/O and signals of the process get their turn between two transactions. */
  #rest(): void {
    this.#running = false;
    if (this.#busy() && !this.#stopped) this.schedule();
    else this.#tellIdle();
  }

  #tellIdle(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #busy(): boolean {
    return this.#ready.size > 0 || this.#side.length > 0;
  }

  #tick(): Promise<void> | undefined {
    const turns = new Map<Actor, Turn>();
    const side = this.#side;
    this.#side = [];
    const actors = [...this.#ready];
    this.#ready.clear();
    if (actors.some((actor) => actor.stale && !actor.gone)) return this.#tickReloading(actors, turns, side);
    for (const actor of actors) this.#takeIn(actor, turns);
    return this.#finish(turns, side);
  }

  async #tickReloading(actors: Actor[], turns: Map<Actor, Turn>, side: SideWrite[]): Promise<void> {
    for (const actor of actors) {
      if (actor.stale && !actor.gone && !(await this.#reload(actor))) continue;
      this.#takeIn(actor, turns);
    }
    await this.#finish(turns, side);
  }

  #finish(turns: Map<Actor, Turn>, side: SideWrite[]): Promise<void> | undefined {
    this.#host.assignSteps((actor) => this.#turnOf(actor, turns));
    return this.#commit([...turns.values()], side);
  }

  #turnOf(actor: Actor, turns: Map<Actor, Turn>): Turn {
    let turn = turns.get(actor);
    if (!turn) turns.set(actor, (turn = new Turn(actor, this.#turnHost)));
    return turn;
  }

  #takeIn(actor: Actor, turns: Map<Actor, Turn>): void {
    if (actor.gone) {
      this.refuseAll(actor);
      return;
    }
    const turn = this.#turnOf(actor, turns);
    try {
      this.#process(turn);
    } catch (error) {
      turns.delete(actor);
      this.#abandon(turn);
      const fact = this.#host.missingFact(error);
      if (fact) return this.#waitFor(actor, fact);
      this.#host.problem({ runId: actor.runId, error });
      if (actor.unborn) return this.#host.stillborn(actor, error);
      // Whatever the engine couldn't do with this run, it can't do again: the run ends and says why.
      actor.inbox = [{ type: "fail", error: this.#host.encodeError(actor, error) }, ...actor.inbox];
      this.wake(actor);
    }
  }

  #process(turn: Turn): void {
    for (let internal = 0; ;) {
      const own = turn.internal.shift();
      const input = own ?? turn.next();
      if (!input) break;
      if (own && (internal += 1) > INTERNAL_LIMIT) {
        throw new RangeError(
          `Run ${turn.actor.runId} keeps itself busy without waiting for anything from outside`,
        );
      }
      this.#host.accept(turn, input);
    }
  }

  async #reload(actor: Actor): Promise<boolean> {
    try {
      await this.#host.reload(actor);
      return true;
    } catch (error) {
      this.#host.problem({ runId: actor.runId, error });
      for (const input of actor.inbox) ackOf(input)?.reject(error);
      actor.inbox = actor.inbox.filter((input) => ackOf(input) === undefined);
      this.#host.after(COMMIT_PAUSE, () => this.wake(actor));
      return false;
    }
  }

  #waitFor(actor: Actor, fact: Promise<void>): void {
    fact.then(
      () => this.wake(actor),
      (error: unknown) => {
        if (actor.unborn) return this.#host.stillborn(actor, error);
        actor.inbox = [{ type: "fail", error: this.#host.encodeError(actor, error) }, ...actor.inbox];
        this.wake(actor);
      },
    );
  }

  #abandon(turn: Turn, error?: unknown): void {
    turn.abandon(error);
    this.#host.abandoned(turn.actor);
  }

  #commit(turns: Turn[], side: SideWrite[]): Promise<void> | undefined {
    const changed = turns.filter((turn) => turn.changed);
    for (const turn of changed) turn.finish();
    const writes = changed.map((turn) => toWrite(turn.draft));
    for (const one of side) writes.push(one.write);
    if (writes.length === 0) {
      this.#committed(turns, side);
      return undefined;
    }
    this.#commits += 1;
    if (!this.#strike("before-commit")) return undefined;
    const done = () => {
      if (this.#strike("after-commit")) this.#committed(turns, side);
    };
    const refused = (error: unknown) => {
      // Turns that had nothing to write are done all the same.
      for (const turn of turns) if (!changed.includes(turn)) this.#host.committed(turn);
      this.#failed(changed, side, error);
    };
    let pending: Promise<void> | undefined;
    try {
      pending = this.#store.commit(writes);
    } catch (error) {
      refused(error);
      return undefined;
    }
    if (pending) return pending.then(done, refused);
    done();
    return undefined;
  }

  #committed(turns: Turn[], side: SideWrite[]): void {
    for (const { ack } of side) ack.resolve();
    for (const turn of turns) this.#host.committed(turn);
  }

  /** False when the process is to have died here. */
  #strike(at: FaultPoint["at"]): boolean {
    try {
      this.#host.faults?.({ at, commit: this.#commits });
      return true;
    } catch (error) {
      this.stop();
      this.#host.problem({ error });
      return false;
    }
  }

  #failed(turns: Turn[], side: SideWrite[], error: unknown): void {
    const taken = error instanceof HookTakenError;
    for (const turn of turns) this.#abandon(turn, taken ? undefined : error);
    if (taken) this.#host.hookTaken(error);
    else this.#host.problem({ error });
    if (error instanceof OwnershipLostError) this.#host.lost(error.runId);
    if (taken) this.#side.unshift(...side);
    else for (const { ack } of side) ack.reject(error);
    const again = () => {
      for (const turn of turns) this.wake(turn.actor);
    };
    if (taken) again();
    else this.#host.after(COMMIT_PAUSE, again);
  }

  /** Tells everybody who still waits for a run that is gone. */
  refuseAll(actor: Actor): void {
    for (const input of actor.inbox.splice(0)) this.#refuse(actor, input);
  }

  #refuse(actor: Actor, input: Input): void {
    const ack = ackOf(input) as Ack<void> | undefined;
    // A cancellation that comes after the end has got what it asked for.
    if (input.type === "cancel" || input.type === "cancel-now") ack?.resolve();
    else ack?.reject(new RunEndedError(actor.runId, actor.state.ended?.status ?? "gone"));
  }
}
