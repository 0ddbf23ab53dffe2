import type { EveHost } from "eve/internal/host-api";
import type { Clock } from "../clock/clock.js";
import { EngineClosedError, RunEndedError } from "../errors/engine.js";
import type { RunEvent, TransientEvent } from "../log/events.js";
import { createWatchdog, type Watchdog } from "../replay/index.js";
import type { OperationKey } from "../replay/protocol.js";
import type { Store, TimerRow } from "../store/types.js";
import { Streams } from "../streams/streams.js";
import { acceptInput, CANCEL_TIMER, type AcceptHost } from "./accept.js";
import type { Actor } from "./actor.js";
import { Actors } from "./actors.js";
import { AfterCommit } from "./after-commit.js";
import { Alarms } from "./alarms.js";
import { startAttempt, type AttemptHost } from "./attempt.js";
import { Hub } from "./hub.js";
import type { Identifiers } from "./identifiers.js";
import { ackOf, type Ack, type Input } from "./inputs.js";
import { CommitLoop } from "./loop.js";
import { MissingFacts } from "./missing-facts.js";
import { applyOperation, type OperationHost } from "./operations.js";
import type { EngineLimits, EngineOptions, Problem } from "./options.js";
import type { StatusChange } from "./results.js";
import { StepQueue } from "./step-queue.js";
import { StoreTimers } from "./store-timers.js";
import { reportStray } from "./strays.js";
import { runCustom, stepInput, takeUp } from "./take-up.js";
import { Tokens } from "./tokens.js";
import { Values } from "./values.js";

/** The engine's parts, wired together. What callers use is `createEngine`. */
export class Core {
  readonly store: Store;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly ids: Identifiers;
  readonly options: EngineOptions;
  readonly alarms: Alarms;
  readonly hub = new Hub<RunEvent | TransientEvent>();
  /** Changes of status alone: who only waits for these doesn't make events be built. */
  readonly statuses = new Hub<StatusChange>();
  /** Tells consumers of a target that there are messages. */
  readonly outbox = new Hub<void>();
  /** Ends the consumers that are at work. */
  readonly consumers = new Set<() => Promise<void>>();
  readonly streams: Streams;
  readonly actors: Actors;
  readonly loop: CommitLoop;
  readonly steps: StepQueue;
  readonly timers: StoreTimers;
  readonly values: Values;
  readonly watchdog: Watchdog | undefined;
  /** Who waits for the answer of a webhook request, by `<run>/<request>`. */
  readonly responders = new Map<string, (response: string | undefined) => void>();
  readonly tokens = new Tokens();
  readonly afterCommit: AfterCommit;
  readonly #facts: MissingFacts;
  hostApi!: EveHost;
  closing = false;
  /** Something was thrown where nobody can catch it: the process ends. */
  fatal = false;

  constructor(options: EngineOptions, parts: { clock: Clock; limits: EngineLimits; ids: Identifiers }) {
    this.options = options;
    this.store = options.store;
    this.clock = parts.clock;
    this.limits = parts.limits;
    this.ids = parts.ids;
    this.alarms = new Alarms(this.clock);
    this.values = new Values(this);
    this.watchdog = options.watchdog && createWatchdog(options.watchdog);
    this.streams = new Streams({
      store: this.store,
      write: (runId, chunks, closeStreams) => this.#writeAlong(runId, { chunks, closeStreams }),
    });
    this.#facts = new MissingFacts(options.webhooks, this.streams);
    this.afterCommit = new AfterCommit(this);
    this.actors = new Actors(
      this.store,
      options.builds,
      {
        freshHooks: {
          hookToken: () => this.ids.token(),
          webhookUrl: (_key, token) => this.#facts.webhookUrl(token),
        },
        watchdog: this.watchdog,
        unhandledRejection: (runId, build, error) => {
          const text = `A rejected promise was never handled: ${build.mapStack(error)}`;
          this.afterCommit.print({ runId, level: "warn", text });
        },
        codec: (actor, server) => this.values.codec(actor, server),
        resume: (actor) => takeUp(this, actor),
        fail: (actor, error) =>
          this.loop.enqueue(actor, { type: "fail", error: this.values.encodeError(actor, error) }),
      },
      this.limits,
    );
    const attempts = this.#attemptHost();
    this.steps = new StepQueue(this.limits.stepConcurrency, {
      onFree: () => this.loop.schedule(),
      run: (actor, key, attempt, slot) => startAttempt(actor, key, attempt, slot, attempts),
    });
    this.loop = this.#createLoop();
    this.timers = new StoreTimers({
      store: this.store,
      alarms: this.alarms,
      now: () => this.clock.now(),
      fire: (row) => this.#fire(row),
      problem: (error) => this.problem({ error }),
    });
  }

  /**
   * Takes a run into memory. One that can't be continued (its workflow is missing, or does something else than what is
   * recorded) is ended instead, and the reason rejects. Rejects with `RUN_NOT_FOUND`, `RUN_ENDED`, `RUN_STALLED`,
   * `WORKFLOW_MISSING`, `REPLAY_DIVERGENCE` and errors of the store.
   */
  async load(runId: string): Promise<Actor> {
    const actor = await this.actors.load(runId);
    await this.#refuseBroken(actor);
    return actor;
  }

  /** Records the end of a run that can't be continued, and rejects with the reason. */
  async #refuseBroken(actor: Actor): Promise<void> {
    const { broken } = actor;
    if (broken === undefined) return;
    try {
      await new Promise<void>((resolve, reject) => {
        const ack = { resolve, reject };
        this.loop.enqueue(actor, { type: "fail", error: this.values.encodeError(actor, broken), ack });
      });
    } catch (error) {
      // Somebody else met it first and has ended it.
      if (!(error instanceof RunEndedError)) throw error;
    }
    throw broken;
  }

  /** Tells a run something, replaying it first if it isn't in memory. Resolves once it is in the inbox. */
  async deliver(runId: string, given: Input): Promise<void> {
    if (this.closing) throw new EngineClosedError();
    // A forced end waits for nothing, not even for what was due.
    const input = given.type === "cancel-now" ? given : { arrivedAt: this.clock.now(), ...given };
    for (;;) {
      let taken = false;
      // A cancellation reaches the run before its unfinished steps are taken up: they aren't to go on.
      const first = (one: Actor) => {
        taken = true;
        this.loop.enqueue(one, input);
      };
      const actor = await this.actors.load(runId, input.type === "cancel" ? first : undefined);
      if (taken) return;
      if (actor.broken) {
        // To end it is all that a cancellation asks for.
        const isCancel = input.type === "cancel" || input.type === "cancel-now";
        if (!isCancel) return await this.#refuseBroken(actor);
        this.loop.enqueue(actor, { type: "cancel-now", ...(input.ack ? { ack: input.ack } : {}) });
        return;
      }
      // It may have been evicted again in between.
      if (actor.gone && !actor.state.ended) continue;
      this.actors.unpark(actor);
      this.loop.enqueue(actor, input);
      return;
    }
  }

  /** Tells a run something and resolves when that is committed. `input` is made with the acknowledgement. */
  request<T>(runId: string, input: (ack: Ack<T>) => Input): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.deliver(runId, input({ resolve, reject })).catch(reject);
    });
  }

  /** Gives up every attempt that runs, because the engine closes. */
  stopAttempts(): void {
    for (const actor of this.actors.all()) {
      for (const [key, { attempt }] of actor.running)
        this.loop.enqueue(actor, { type: "step-stopped", key, attempt });
    }
  }

  problem(problem: Problem): void {
    this.options.onProblem?.(problem);
  }

  /** Made once: there is an attempt for every step. */
  #attemptHost(): AttemptHost {
    return {
      now: () => this.clock.now(),
      maxValue: this.limits.valueSize,
      release: (slot) => this.steps.slots.release(slot),
      lend: (slot, runId) => this.steps.slots.lend(slot, runId),
      takeBack: (slot) => this.steps.slots.takeBack(slot),
      hostApi: () => this.hostApi,
      baseUrl: () => this.options.webhooks?.current() ?? "",
      flush: (runId) => this.streams.flush(runId),
      stray: (actor, step, kind, thrown) => reportStray(this, actor, step, kind, thrown),
      outcome: (actor, key, attempt, outcome) => {
        if (actor.gone) return;
        this.loop.enqueueOutcome(actor, stepInput(key, attempt, outcome), this.steps.slots.used === 0);
      },
    };
  }

  #createLoop(): CommitLoop {
    const armTimer = (dueAt: number) => this.timers.arm(dueAt);
    const responded = (request: string, response: string) => this.#responded(request, response);
    const abortSignal = (runId: string, signal: string, reason: string | undefined) =>
      this.#abortSignal(runId, signal, reason);
    const operations: OperationHost = {
      tokenOwner: (token) => this.tokens.owner(token),
      opened: (actor, token) => this.tokens.hold(actor, token),
      closed: (actor, token) => this.tokens.drop(actor, token),
      webhookUrl: (token) => this.#facts.webhookUrl(token),
      nextChunk: (runId, stream) => this.streams.nextIndex(runId, stream),
      responded,
      abortSignal,
      armTimer,
      custom: (one, { key, name, args }) =>
        one.effects.push(() => runCustom(this, one.actor, key, name, args)),
    };
    const inputs: AcceptHost = {
      responded,
      abortSignal,
      armTimer,
      encodeError: (actor, error) => this.values.encodeError(actor, error),
      setRetry: (one, key, at) => one.effects.push(() => this.retryAt(one.actor, key, at)),
    };
    return new CommitLoop(this.store, {
      now: () => this.clock.now(),
      applyOperation: (turn, operation) => applyOperation(turn, operation, operations),
      accept: (turn, input) => acceptInput(turn, input, inputs),
      checkFacts: () => this.#facts.check(),
      queueStep: (actor, key) => this.steps.add(actor, key),
      giveBack: (slot) => this.steps.slots.release(slot),
      assignSteps: (turnOf) => this.steps.assign(turnOf),
      reload: (actor) => this.actors.reload(actor),
      committed: (turn) => this.afterCommit.committed(turn),
      abandoned: (actor) => this.afterCommit.forgetUncommitted(actor),
      hookTaken: ({ token, owner }) => this.tokens.taken(token, owner),
      stillborn: (actor, error) => {
        for (const input of actor.inbox.splice(0)) ackOf(input)?.reject(error);
        this.afterCommit.retire(actor);
      },
      lost: (runId) => {
        // Another process owns the run by now: what this one still does for it is dropped.
        const actor = this.actors.get(runId);
        if (actor) this.afterCommit.retire(actor);
      },
      missingFact: (error) => this.#facts.await(error),
      encodeError: (actor, error) => this.values.encodeError(actor, error),
      after: (ms, work) => this.alarms.set(this.clock.now() + ms, work),
      problem: (problem) => this.problem(problem),
      faults: this.options.faults,
    });
  }

  #responded(request: string, response: string): void {
    this.responders.get(request)?.(response);
  }

  #abortSignal(runId: string, signal: string, reason: string | undefined): void {
    const actor = this.actors.get(runId);
    actor?.signals.abort(signal, reason === undefined ? undefined : actor.codec().decode(reason));
  }

  /** Has a step tried again at a time. */
  retryAt(actor: Actor, key: OperationKey, at: number): void {
    this.alarms.set(at, () => {
      const present = this.actors.get(actor.runId);
      if (present) this.loop.enqueue(present, { type: "retry", key });
    });
  }

  async #fire({ runId, key, dueAt }: TimerRow): Promise<void> {
    try {
      await this.request<void>(runId, (ack) =>
        key === CANCEL_TIMER ? { type: "cancel-now", ack } : { type: "sleep", key, arrivedAt: dueAt, ack },
      );
    } catch (error) {
      // The run ended with what the timer was for, and its timers with it.
      if (!(error instanceof RunEndedError)) throw error;
    }
  }

  async #writeAlong(
    runId: string,
    change: {
      chunks: readonly { stream: string; index: number; value: string }[];
      closeStreams: readonly string[];
    },
  ): Promise<void> {
    const epoch = this.actors.get(runId)?.epoch ?? (await this.store.claim(runId));
    await new Promise<void>((resolve, reject) => {
      this.loop.writeAlong({ write: { runId, epoch, entries: [], ...change }, ack: { resolve, reject } });
    });
  }
}
