/**
 * Runs a random program while things go wrong: the process dies before or after commits, inputs are delivered
 * twice, the clock jumps. Then it checks that nobody could tell from the run.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Builds } from "../builds/types.js";
import { createEngine, type Engine } from "../engine/engine.js";
import type { RunResult } from "../engine/options.js";
import { RuntimeError } from "../errors/base.js";
import { StoreFullError } from "../errors/store.js";
import { replayRun } from "../inspect/replay.js";
import type { LogEntry } from "../log/types.js";
import { openSqliteStore } from "../store/sqlite/open.js";
import type { SqliteStore } from "../store/sqlite/store.js";
import type { RunWrite, Store } from "../store/types.js";
import { testBuilds } from "./build.js";
import { createTestClock, type TestClock } from "./clock.js";
import { programBuild, randomPrograms, seeded, type Program } from "./programs.js";

export interface FaultPlan {
  /** Chance of a crash at each fault point. */
  crash: number;
  /** Chance that a commit is refused, as by a full disk. */
  refuse: number;
  /** Chance that an input is delivered twice. */
  twice: number;
  /** Chance that the wall clock jumps before an action. */
  jump: number;
  /** Chance that the process is stopped, as by Ctrl-C, before an action. */
  stop?: number;
  /** Parked runs kept in memory: 0 replays at every wake-up. */
  hotRuns?: number;
  /** Commits are done later, as those of a store over the network, instead of when the call returns. */
  late?: boolean;
}

/** What went wrong on purpose, and what was done meanwhile. */
export interface FaultCounts {
  /** Deaths before or after a commit. */
  crashes: number;
  /** Commits refused as by a full disk. */
  refused: number;
  /** Inputs delivered a second time. */
  repeated: number;
  /** Jumps of the wall clock. */
  jumps: number;
  /** Graceful stops. */
  stops: number;
  /** Payloads and answers that were acknowledged. */
  acknowledged: number;
  /** Steps that completed. */
  steps: number;
}

export const noFaults = (): FaultCounts => ({
  crashes: 0,
  refused: 0,
  repeated: 0,
  jumps: 0,
  stops: 0,
  acknowledged: 0,
  steps: 0,
});

export interface FaultOutcome {
  result: RunResult;
  log: LogEntry[];
  counts: FaultCounts;
  /** Executions by idempotency key. */
  executions: Map<string, number>;
}

/** The same store, whose commits fail now and then; `late` ones take a turn of the event loop. */
function refusing(store: Store, refuses: () => boolean, late: boolean): Store {
  const commit = (writes: readonly RunWrite[]) => {
    if (refuses()) throw new StoreFullError("eve.db");
    return store.commit(writes);
  };
  const commitLate = async (writes: readonly RunWrite[]) => {
    await new Promise((resolve) => setImmediate(resolve));
    await commit(writes);
  };
  return new Proxy(store, {
    get(target, name) {
      if (name === "commit") return late ? commitLate : commit;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

class SimulatedCrash extends Error {}

/** More actions than any program needs (loops of loops of hooks need hundreds): beyond it the run is stuck. */
const MOST_ACTIONS = 10_000;

/** One run of one program under a plan. Everything random comes from `seed`. */
export async function runProgram(
  programs: readonly Program[],
  seed: number,
  plan: FaultPlan,
): Promise<FaultOutcome> {
  const random = seeded(seed);
  const executions = new Map<string, number>();
  const builds: Builds = testBuilds(programBuild(programs, executions));
  const dir = mkdtempSync(path.join(os.tmpdir(), "eve-faults-"));
  const clock = createTestClock();
  const world = new World(dir, clock, builds, random, plan);
  try {
    await world.open();
    const runId = await world.start();
    for (let action = 0; ; action += 1) {
      if (action > MOST_ACTIONS) throw new Error(`run ${runId} is stuck:\n${await world.describe(runId)}`);
      const result = await world.ended(runId);
      if (result) {
        const report = await replayRun(world.store, builds, runId);
        if (report.status !== "identical")
          throw new Error(`the log doesn't replay: ${JSON.stringify(report)}`);
        const log = await world.store.log(runId);
        world.counts.steps = log.filter(({ event }) => event.type === "step-completed").length;
        return { result, log, counts: world.counts, executions };
      }
      await world.act(runId);
    }
  } finally {
    await world.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

class World {
  store!: SqliteStore;
  readonly counts = noFaults();
  #engine!: Engine;
  #crashed = false;
  readonly #dir: string;
  readonly #clock: TestClock;
  readonly #builds: Builds;
  readonly #random: () => number;
  readonly #plan: FaultPlan;
  readonly #acknowledged: { kind: "payload" | "answer"; name: string }[] = [];

  constructor(dir: string, clock: TestClock, builds: Builds, random: () => number, plan: FaultPlan) {
    this.#dir = dir;
    this.#clock = clock;
    this.#builds = builds;
    this.#random = random;
    this.#plan = plan;
  }

  async open(): Promise<void> {
    this.store = openSqliteStore({ dir: this.#dir, clock: this.#clock }).store;
    this.#crashed = false;
    let serial = 0;
    this.#engine = createEngine({
      store: refusing(this.store, () => this.#refuses(), this.#plan.late ?? false),
      builds: this.#builds,
      clock: this.#clock,
      limits: { hotRuns: this.#plan.hotRuns ?? 500, stepConcurrency: 4 },
      ids: {
        runId: () => "run",
        token: () => `token-${this.counts.crashes}-${(serial += 1)}`,
        seed: () => "ab".repeat(16),
      },
      faults: () => {
        if (this.#random() >= this.#plan.crash) return;
        this.#crashed = true;
        throw new SimulatedCrash("crash");
      },
      onProblem: ({ error }) => {
        if (!(error instanceof SimulatedCrash) && !(error instanceof StoreFullError)) throw error;
      },
    });
    await this.#engine.recover();
    await this.#clock.settle();
    await this.#reopenAfterCrash();
  }

  #refuses(): boolean {
    const refuses = this.#random() < this.#plan.refuse;
    if (refuses) this.counts.refused += 1;
    return refuses;
  }

  async close(): Promise<void> {
    await this.#engine.close();
    await this.store.close();
  }

  async #reopenAfterCrash(): Promise<void> {
    if (!this.#crashed) return;
    this.counts.crashes += 1;
    await this.close();
    await this.open();
  }

  /** Does something that a crash may interrupt: true when it was acknowledged. */
  async #attempt(work: () => Promise<unknown>): Promise<boolean> {
    const came: { done: boolean; failure?: unknown } = { done: false };
    const attempt = work().then(
      () => (came.done = true),
      (error: unknown) => (came.failure = error),
    );
    for (let turn = 0; turn < 50 && !came.done && came.failure === undefined && !this.#crashed; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.#clock.settle();
    if (!this.#crashed) await attempt;
    await this.#reopenAfterCrash();
    if (came.failure !== undefined && !isTooLate(came.failure)) throw came.failure;
    return came.done;
  }

  async start(): Promise<string> {
    const context = { session: { id: "run" }, callId: "call" };
    for (;;) {
      const done = await this.#attempt(() => this.#engine.startRun({ tool: "program", input: {}, context }));
      // A crash after the commit: the run is there although nobody was told.
      if (done || (await this.store.run("run"))) return "run";
    }
  }

  async ended(runId: string): Promise<RunResult | undefined> {
    const last = (await this.store.lastEntry(runId))?.event;
    if (last?.type !== "run-ended") return undefined;
    const log = await this.store.log(runId);
    for (const { kind, name } of this.#acknowledged) {
      const found = log.some(({ event }) =>
        kind === "payload"
          ? event.type === "hook-received" && event.value.includes(name)
          : event.type === "ask-resolved" &&
            log.some((one) => one.event.type === "ask-created" && one.event.requestId === name),
      );
      if (!found) throw new Error(`lost: the acknowledged ${kind} ${name}`);
    }
    return await this.#engine.run(runId).result();
  }

  /** One thing that happens from outside: a payload, an answer, or time passing. */
  async act(runId: string): Promise<void> {
    if (this.#plan.stop !== undefined && this.#random() < this.#plan.stop) {
      this.counts.stops += 1;
      await this.close();
      await this.open();
    }
    if (this.#random() < this.#plan.jump) {
      this.counts.jumps += 1;
      this.#clock.jump(Math.floor((this.#random() - 0.4) * 20_000));
    }
    const hooks = await this.store.hooks(runId);
    const questions = await this.store.questions(runId);
    const waiting = hooks.length + questions.length;
    const choice = Math.floor(this.#random() * (waiting + 1));
    const hook = hooks[choice];
    const question = questions[choice - hooks.length];
    const times = this.#random() < this.#plan.twice ? 2 : 1;
    if (hook) {
      const payload = `payload of ${hook.token}`;
      this.counts.repeated += times - 1;
      for (let time = 0; time < times; time += 1) {
        if (await this.#attempt(() => this.#engine.resumeHook(hook.token, payload))) {
          this.#acknowledge("payload", payload);
        }
      }
    } else if (question) {
      const { requestId } = question;
      this.counts.repeated += times - 1;
      for (let time = 0; time < times; time += 1) {
        if (await this.#attempt(() => this.#engine.answer(runId, requestId, { optionId: "yes" }))) {
          this.#acknowledge("answer", requestId);
        }
      }
    } else {
      await this.#clock.advance(1_000 + Math.floor(this.#random() * 4_000));
      await this.#reopenAfterCrash();
    }
  }

  #acknowledge(kind: "payload" | "answer", name: string): void {
    this.counts.acknowledged += 1;
    this.#acknowledged.push({ kind, name });
  }

  async describe(runId: string): Promise<string> {
    const log = await this.store.log(runId);
    return log.map(({ seq, event }) => `${seq} ${JSON.stringify(event).slice(0, 160)}`).join("\n");
  }
}

/** A second delivery finds its question answered, its hook gone or its run ended; a refused one wasn't recorded. */
const isTooLate = (error: unknown) =>
  error instanceof RuntimeError &&
  ["HOOK_NOT_FOUND", "QUESTION_NOT_PENDING", "RUN_ENDED", "ENGINE_CLOSED", "STORE_FULL"].includes(error.code);

/** What must hold of every finished run; throws with the reason when it doesn't. */
export function checkInvariants({ log, executions }: Pick<FaultOutcome, "log" | "executions">): void {
  const completed = new Set<string>();
  const starts = new Map<string, number>();
  for (const [index, { seq, at, event }] of log.entries()) {
    if (seq !== index) throw new Error(`entry ${index} has number ${seq}`);
    if (index > 0 && at < (log[index - 1] as LogEntry).at)
      throw new Error(`entry ${index} is older than the one before it`);
    if (event.type === "step-completed") {
      if (completed.has(event.key)) throw new Error(`${event.key} completed twice`);
      completed.add(event.key);
    }
    if (event.type === "step-started") {
      if (completed.has(event.key)) throw new Error(`${event.key} started again after it had completed`);
      starts.set(event.key, (starts.get(event.key) ?? 0) + 1);
    }
  }
  for (const [stepId, count] of executions) {
    const key = stepId.slice(stepId.indexOf("/") + 1);
    const recorded = starts.get(key) ?? 0;
    if (count > recorded) throw new Error(`${key} ran ${count} times, and ${recorded} starts are recorded`);
  }
}

/** Runs the program of a seed without and with faults and checks that both end the same. Gives what went wrong. */
export async function checkSeed(seed: number): Promise<FaultCounts> {
  const programs = randomPrograms(seeded(seed));
  const calm = await runProgram(programs, seed, { crash: 0, refuse: 0, twice: 0, jump: 0 });
  const rough = await runProgram(programs, seed ^ 0x5eed, {
    crash: 0.12,
    refuse: 0.08,
    twice: 0.2,
    jump: 0.2,
    stop: 0.1,
    hotRuns: seed % 3 === 0 ? 0 : 500,
    late: seed % 2 === 0,
  });
  checkInvariants(calm);
  checkInvariants(rough);
  const [expected, actual] = [calm.result, rough.result].map((result) => JSON.stringify(result));
  if (expected !== actual) throw new Error(`without faults ${expected}, with faults ${actual}`);
  return rough.counts;
}
