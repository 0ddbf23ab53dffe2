import type { HookInfo } from "eve/internal/workflow-api";
import { systemClock } from "../clock/clock.js";
import { RunNotFoundError } from "../errors/engine.js";
import { getHookByToken, resumeHook } from "../hooks/resume.js";
import { resumeWebhook } from "../hooks/webhook.js";
import type { RunEvent, TransientEvent } from "../log/events.js";
import type { RunStatus } from "../log/types.js";
import type { Store, StoredMessage } from "../store/types.js";
import { readable } from "../streams/handles.js";
import { requireText } from "./arguments.js";
import { cancelAndWait, cancelRun, type CancelOptions } from "./cancel.js";
import { Core } from "./core.js";
import { createHostApi, installHostApi, streamName } from "./host-api.js";
import { randomIdentifiers } from "./identifiers.js";
import {
  DEFAULT_LIMITS,
  type EngineOptions,
  type RunningStep,
  type RunResult,
  type StartRun,
} from "./options.js";
import { answerQuestion, openQuestions, type Answer, type OpenQuestion } from "./questions.js";
import { followRun, waitForResult, waitUntilIdle } from "./results.js";
import { consume } from "./outbox.js";
import { recover, resume, retryStalled } from "./recover.js";
import { startRun } from "./start.js";
import { runningSteps, watchExit } from "./strays.js";
import { CALL_SIGNAL } from "../log/state.js";

/** A run, by its id. Nothing is looked up before a method is called. */
export interface RunHandle {
  readonly runId: string;
  status(): Promise<RunStatus>;
  /** Resolves when the run has ended. */
  result(): Promise<RunResult>;
  /** Resolves when the run has ended, or waits for something from outside (`waiting`). */
  idle(): Promise<RunStatus>;
  /** Recorded events from the start (or after an event's id), then those that come, until the run ends. */
  events(options?: { after?: string; signal?: AbortSignal }): AsyncIterable<RunEvent | TransientEvent>;
  questions(): Promise<OpenQuestion[]>;
  answer(requestId: string, answer: Answer): Promise<void>;
  cancel(options?: CancelOptions): Promise<void>;
  /** The run's output stream, from an index on (below 0: from the end). */
  stream(options?: { namespace?: string; from?: number }): ReadableStream<unknown>;
}

/** The durable runtime on one store. One engine owns a store's runs at a time. */
export interface Engine {
  readonly store: Store;
  /** Records a run and starts it; resolves with its id once that is committed. */
  startRun(request: StartRun): Promise<string>;
  run(runId: string): RunHandle;
  /** Open questions of a run, or of all. */
  questions(runId?: string): Promise<OpenQuestion[]>;
  answer(runId: string, requestId: string, answer: Answer): Promise<void>;
  getHookByToken(token: string): Promise<HookInfo>;
  resumeHook(token: string, payload: unknown): Promise<HookInfo>;
  resumeWebhook(token: string, request: Request): Promise<Response>;
  /**
   * Aborts the call's `ctx.abortSignal` without cancelling the run (a steering message). An `execute` body that rejects
   * after it settles as `{ interrupted: true }`.
   */
  abort(runId: string): Promise<void>;
  cancel(runId: string, options?: CancelOptions): Promise<void>;
  /** Cancels and waits for the end, up to 35 s. */
  cancelAndWait(runId: string, options?: CancelOptions): Promise<RunResult>;
  /**
   * Takes up every run that was at work when its process ended, and arms the timers of those that wait. What
   * keeps a run from being taken up is reported as a problem (see `resume`). Gives the number of runs taken up.
   */
  recover(): Promise<number>;
  /**
   * Takes up one run, also one that waits, so that whatever is wrong with it shows: a run whose workflow is missing, or
   * whose code does something else than what is recorded, ends as failed, and the reason rejects. Rejects with
   * `RUN_NOT_FOUND`, `RUN_ENDED`, `RUN_STALLED`, `WORKFLOW_MISSING`, `REPLAY_DIVERGENCE` and errors of store and build.
   */
  resume(runId: string): Promise<void>;
  /** Takes up a run that was set aside (`stalled`). */
  retryStalled(runId: string): Promise<void>;
  /**
   * Hands the outward messages of a target (`StartRun.target`) to `handler`, in order, until the returned function
   * is called. A message is forgotten once the handler has resolved; after a crash or a rejection it comes again, with
   * the same `id`.
   */
  consume(target: string, handler: (message: StoredMessage) => void | Promise<void>): () => Promise<void>;
  /** The attempts of steps that run in this process just now. */
  runningSteps(): RunningStep[];
  /** How many runs are in memory. */
  readonly hotRuns: number;
  /**
   * Ends the engine: what runs is left where its last commit is, and can be recovered. Attempts that run are recorded
   * as stopped, which uses up none of their step's retries; their code isn't waited for. The store stays open.
   */
  close(): Promise<void>;
}

/**
 * Makes an engine.
 *
 * ```ts
 * const { store } = openSqliteStore({ dir: ".eve/data" });
 * const engine = createEngine({ store, builds: folderBuilds({ output: ".eve/output", keep: ".eve/data/builds" }) });
 * await engine.recover();
 * const runId = await engine.startRun({ tool: "deploy", input: { service: "api" } });
 * const result = await engine.run(runId).result();
 * ```
 */
export function createEngine(options: EngineOptions): Engine {
  const core = new Core(options, {
    clock: options.clock ?? systemClock,
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    ids: options.ids ?? randomIdentifiers,
  });
  core.hostApi = createHostApi(core);
  const uninstall = installHostApi(core.hostApi);
  const unwatch = watchExit(core);

  return {
    store: core.store,
    startRun: (request) => startRun(core, request),
    run: (runId) => handleOf(core, runId),
    questions: (runId) => openQuestions(core, runId),
    answer: (runId, requestId, answer) => answerQuestion(core, runId, requestId, answer),
    getHookByToken: (token) => getHookByToken(core, token),
    resumeHook: (token, payload) => resumeHook(core, token, payload),
    resumeWebhook: (token, request) => resumeWebhook(core, token, request),
    abort: (runId) => abortCall(core, runId),
    cancel: (runId, cancel) => cancelRun(core, runId, cancel),
    cancelAndWait: (runId, cancel) => cancelAndWait(core, runId, cancel),
    recover: () => recover(core),
    resume: (runId) => resume(core, runId),
    retryStalled: (runId) => retryStalled(core, runId),
    consume: (target, handler) => consume(core, target, handler),
    runningSteps: () => runningSteps(core),
    get hotRuns() {
      return core.actors.size;
    },
    async close() {
      uninstall();
      unwatch();
      core.closing = true;
      core.timers.close();
      core.steps.stop();
      core.stopAttempts();
      await core.loop.idle();
      core.loop.stop();
      core.alarms.close();
      for (const end of core.consumers) await end();
      await core.loop.idle();
      await core.watchdog?.close();
      for (const actor of core.actors.all()) {
        actor.signals.abortAll();
        core.actors.forget(actor);
      }
    },
  };
}

async function abortCall(core: Core, runId: string): Promise<void> {
  await core.request<void>(runId, (ack) => ({ type: "abort", signal: CALL_SIGNAL, ack }));
}

function handleOf(core: Core, runId: string): RunHandle {
  requireText("run()", "a run's id", runId);
  return {
    runId,
    async status() {
      const row = await core.store.run(runId);
      if (!row) throw new RunNotFoundError(runId);
      return row.status;
    },
    result: () => waitForResult(core, runId),
    idle: () => waitUntilIdle(core, runId),
    events: (options) => followRun(core, runId, options),
    questions: () => openQuestions(core, runId),
    answer: (requestId, answer) => answerQuestion(core, runId, requestId, answer),
    cancel: (options) => cancelRun(core, runId, options),
    stream: ({ namespace, from = 0 } = {}) => readable(core, runId, streamName(namespace), from),
  };
}
