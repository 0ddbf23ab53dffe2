import v8 from "node:v8";
import { presentEntries } from "./aliases.js";
import { RunStalledError } from "../errors/engine.js";
import type { Builds } from "../builds/types.js";
import { initialState, reduceLog, type RunStarted } from "../log/state.js";
import type { LogEntry } from "../log/types.js";
import { createBody, type Watchdog } from "../replay/index.js";
import type { Body, BodyHost } from "../replay/protocol.js";
import { RunSignals } from "../signals/run-signals.js";
import type { ServerModule } from "../builds/server-module.js";
import type { Build } from "../builds/types.js";
import type { Lineage } from "../steps/slots.js";
import type { RunRow, Store } from "../store/types.js";
import type { Codec } from "../values/index.js";
import { isParked, type Actor } from "./actor.js";
import { ContextGarbage } from "./garbage.js";
import { brokenBody, chooseBuild, endsRun, readLiveRun, replayBody, type ChosenBuild } from "./load.js";
import { bodyStart } from "./replay.js";

export interface ActorsHost {
  freshHooks: BodyHost;
  /** A promise of a body was rejected and nobody handled it. `error`: its text, stack unmapped. */
  unhandledRejection(runId: string, build: Build, error: string): void;
  watchdog: Watchdog | undefined;
  codec(actor: Actor, server?: ServerModule): Codec;
  /** Takes up what is outstanding in a run that was just loaded or replayed. */
  resume(actor: Actor): Promise<void>;
  /** A run in memory turned out not to be continuable: `error` ends it. */
  fail(actor: Actor, error: Error): void;
}

/** Every how many parkings the heap is looked at: it costs more than a step. */
const HEAP_CHECK = 64;

/** The runs in memory. */
export class Actors {
  readonly #store: Store;
  readonly #builds: Builds;
  readonly #host: ActorsHost;
  readonly #limits: { hotRuns: number; heapShare: number };
  readonly #actors = new Map<string, Actor>();
  readonly #loading = new Map<string, Promise<Actor>>();
  /** Parked runs, least recently used first. */
  readonly #parked = new Set<Actor>();
  readonly #garbage = new ContextGarbage();
  #parkings = 0;

  constructor(
    store: Store,
    builds: Builds,
    host: ActorsHost,
    limits: { hotRuns: number; heapShare: number },
  ) {
    this.#store = store;
    this.#builds = builds;
    this.#host = host;
    this.#limits = limits;
  }

  get(runId: string): Actor | undefined {
    return this.#actors.get(runId);
  }

  all(): Iterable<Actor> {
    return this.#actors.values();
  }

  get size(): number {
    return this.#actors.size;
  }

  /**
   * The run in memory, replayed first if need be. `first` is called when this call replays it, before its unfinished
   * steps are taken up. One that can't be replayed is given as `broken`. Rejects with `RUN_NOT_FOUND`, `RUN_ENDED` and
   * errors of the store.
   */
  async load(runId: string, first?: (actor: Actor) => void): Promise<Actor> {
    const present = this.#actors.get(runId);
    if (present) return present;
    let loading = this.#loading.get(runId);
    if (!loading) {
      loading = this.#load(runId, first).finally(() => this.#loading.delete(runId));
      this.#loading.set(runId, loading);
    }
    return await loading;
  }

  /** A run that isn't stored yet. */
  create(row: RunRow, epoch: number, build: Build, started: RunStarted, lineage: Lineage): Actor {
    const body = this.#firstBody(row, build, started);
    const state = initialState({ seq: 0, at: row.createdAt, event: started });
    // The first entry is appended by the first turn.
    state.nextSeq = 0;
    const actor = this.#actor({ row, epoch, build, lineage, state, body, storedStatus: undefined });
    this.#actors.set(row.runId, actor);
    return actor;
  }

  /** Replays a run whose context doesn't fit its log any more. What runs in this process keeps running. */
  async reload(actor: Actor): Promise<void> {
    actor.body.dispose();
    actor.queued.clear();
    const { row, build } = actor;
    if (actor.unborn) {
      const { started } = actor.state;
      actor.body = this.#firstBody(row, build, started);
      actor.state = initialState({ seq: 0, at: row.createdAt, event: started });
      actor.state.nextSeq = 0;
      actor.stale = false;
      return;
    }
    const { entries: recorded } = await readLiveRun(this.#store, actor.runId);
    const chosen = build.id === row.buildId ? { build } : { build, replaces: row.buildId };
    const entries = presentEntries(recorded, chosen);
    actor.state = reduceLog(entries);
    actor.stale = false;
    if (actor.broken) return;
    try {
      actor.body = this.#replay(actor.runId, entries, chosen);
    } catch (error) {
      if (!endsRun(error)) throw error;
      actor.body = brokenBody(actor.runId);
      actor.broken = error;
      return this.#host.fail(actor, error);
    }
    await this.#host.resume(actor);
  }

  /** The run left this process' care: it ended, or another one owns it. */
  forget(actor: Actor): void {
    actor.gone = true;
    actor.body.dispose();
    this.#parked.delete(actor);
    this.#actors.delete(actor.runId);
  }

  /** Something reached the run. */
  unpark(actor: Actor): void {
    this.#parked.delete(actor);
  }

  /** The run waits for something from outside; it, or one that has waited longer, may leave memory. */
  park(actor: Actor): void {
    this.#parked.delete(actor);
    this.#parked.add(actor);
    this.#parkings += 1;
    let excess = this.#parked.size - this.#limits.hotRuns;
    if (this.#parkings % HEAP_CHECK === 0 && this.#heapIsFull()) excess = Math.max(excess, HEAP_CHECK);
    for (const parked of this.#parked) {
      if (excess <= 0) return;
      excess -= 1;
      this.#parked.delete(parked);
      if (!isParked(parked)) continue;
      this.forget(parked);
      this.#garbage.add();
    }
  }

  #heapIsFull(): boolean {
    const { used_heap_size: used, heap_size_limit: limit } = v8.getHeapStatistics();
    return used > limit * this.#limits.heapShare;
  }

  /** A run whose body must not run: only its end can still be recorded. */
  async loadToEnd(runId: string): Promise<Actor> {
    const { row, entries } = await readLiveRun(this.#store, runId);
    const epoch = await this.#store.claim(runId);
    const chosen = await chooseBuild(this.#builds, row);
    const { build } = chosen;
    const state = reduceLog(presentEntries(entries, chosen));
    const body = brokenBody(runId);
    const actor = this.#actor({ row, epoch, build, lineage: [runId], state, body, storedStatus: row.status });
    this.#actors.set(runId, actor);
    return actor;
  }

  #firstBody(row: RunRow, build: Build, started: RunStarted): Body {
    const { watchdog } = this.#host;
    return createBody(
      bodyStart(row.runId, started, row.createdAt),
      build.bundle,
      this.#bodyHost(row.runId, build),
      watchdog ? { watchdog } : {},
    );
  }

  #replay(runId: string, entries: readonly LogEntry[], chosen: ChosenBuild): Body {
    const { watchdog } = this.#host;
    const fresh = this.#bodyHost(runId, chosen.build);
    return replayBody({ runId, entries, chosen, fresh, ...(watchdog ? { watchdog } : {}) });
  }

  #bodyHost(runId: string, build: Build): BodyHost {
    return {
      ...this.#host.freshHooks,
      unhandledRejection: (error) => this.#host.unhandledRejection(runId, build, error),
    };
  }

  async #load(runId: string, first?: (actor: Actor) => void): Promise<Actor> {
    const { row, entries: recorded } = await readLiveRun(this.#store, runId);
    if (row.status === "stalled") throw new RunStalledError(runId);
    const epoch = await this.#store.claim(runId);
    const chosen = await chooseBuild(this.#builds, row);
    const entries = presentEntries(recorded, chosen);
    const lineage = await lineageOf(this.#store, row);
    const state = reduceLog(entries);
    const parts = { row, epoch, build: chosen.build, lineage, state, storedStatus: row.status };
    let actor: Actor;
    try {
      const body = this.#replay(runId, entries, chosen);
      actor = this.#actor({ ...parts, row: await this.#moved(row, epoch, chosen), body });
    } catch (error) {
      if (!endsRun(error)) throw error;
      actor = this.#actor({ ...parts, body: brokenBody(runId) });
      actor.broken = error;
      this.#actors.set(runId, actor);
      return actor;
    }
    this.#actors.set(runId, actor);
    first?.(actor);
    await this.#host.resume(actor);
    return actor;
  }

  /**
   * A run whose own build is gone stays on the one that took it up: the next deploy must not take that away too. Says so
   * in the store, once the build is kept.
   */
  async #moved(row: RunRow, epoch: number, { build, replaces }: ChosenBuild): Promise<RunRow> {
    if (replaces === undefined || row.movedTo === build.id) return row;
    await this.#builds.keep(build);
    await this.#store.commit([{ runId: row.runId, epoch, entries: [], movedTo: build.id }]);
    return { ...row, movedTo: build.id };
  }

  #actor(
    parts: Pick<Actor, "row" | "epoch" | "build" | "lineage" | "state" | "body" | "storedStatus">,
  ): Actor {
    const { runId } = parts.row;
    const host = this.#host;
    let codec: Codec | undefined;
    let plain: Codec | undefined;
    const actor: Actor = {
      ...parts,
      runId,
      signals: new RunSignals(runId),
      unborn: parts.storedStatus === undefined,
      codec: (server) =>
        server ? (codec ??= host.codec(actor, server)) : (codec ?? (plain ??= host.codec(actor))),
      inbox: [],
      running: new Map(),
      queued: new Set(),
      tokens: new Set(),
      stale: false,
      gone: false,
    };
    return actor;
  }
}

/** The runs above a run, outermost first, itself last. */
export async function lineageOf(store: Store, row: Pick<RunRow, "runId" | "parentRunId">): Promise<Lineage> {
  const lineage = [row.runId];
  const seen = new Set(lineage);
  let parent = row.parentRunId;
  while (parent !== undefined && !seen.has(parent)) {
    seen.add(parent);
    lineage.unshift(parent);
    parent = (await store.run(parent))?.parentRunId;
  }
  return lineage;
}
