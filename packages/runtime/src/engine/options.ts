import type { Identifiers } from "./identifiers.js";
import type { Build, Builds } from "../builds/types.js";
import type { Clock } from "../clock/clock.js";
import type { RunStatus } from "../log/types.js";
import type { Store } from "../store/types.js";

export interface EngineLimits {
  /** Steps that run at once in this process. */
  stepConcurrency: number;
  /** Parked runs whose context stays in memory. */
  hotRuns: number;
  /** Share of the heap limit above which parked runs are evicted. */
  heapShare: number;
  /** Largest encoded value of one operation, in characters. */
  valueSize: number;
  /** How long a cancelled run may unwind, in milliseconds. */
  cancelGrace: number;
  /** How long the caller of a cancellation waits before the run is ended by force, in milliseconds. */
  cancelWait: number;
}

export const DEFAULT_LIMITS: EngineLimits = {
  stepConcurrency: 100,
  hotRuns: 100,
  heapShare: 0.6,
  valueSize: 32 * 1024 * 1024,
  cancelGrace: 30_000,
  cancelWait: 35_000,
};

/** Where fault injection can strike. `commit` counts this engine's transactions from 1. */
export interface FaultPoint {
  at: "before-commit" | "after-commit";
  commit: number;
}

/** Where webhooks can be reached. */
export interface WebhookBase {
  /** The public base URL, if it is known already. */
  current(): string | undefined;
  /** Starts to listen, if need be, and gives the base URL. */
  open(): Promise<string>;
}

/** Tokens for steps that call `ctx.getToken()` or `ctx.requireAuth()`. */
export interface StepAuthorization {
  getToken(provider: unknown): Promise<unknown>;
  requireAuth(provider: unknown): never;
}

export interface EngineOptions {
  store: Store;
  builds: Builds;
  clock?: Clock;
  limits?: Partial<EngineLimits>;
  webhooks?: WebhookBase;
  ids?: Identifiers;
  authorization?: StepAuthorization;
  /** Operations of later capabilities by name: devalue text in, devalue text out. May be called again after a crash. */
  operations?: Readonly<
    Record<string, (call: { runId: string; key: string; args: string }) => Promise<string>>
  >;
  /** What bodies write to their console, once each line's turn is committed; silent while a body replays. */
  onConsole?: (line: ConsoleLine) => void;
  /** Called once the end of a run is committed. */
  onRunEnd?: (end: RunEnd) => void;
  /** Called when something failed that no caller waits for: a run that can't be resumed, a commit, a warning. */
  onProblem?: (problem: Problem) => void;
  /**
   * A step threw where nobody can catch it (in a timer, in an event listener), so the process has to end: Node.js is in
   * an undefined state. The handler says so and ends the process; when it returns, or there is none, Node.js prints the
   * exception and exits with 1. Not called where the app handles `uncaughtException` itself. The attempt counts as a crash.
   */
  onFatal?: (problem: Problem) => void;
  /**
   * The process exits (`process.exit()`, an exception) while these attempts run; they count as crashed. Called
   * synchronously in its `exit` event, where `process.exitCode` can still be set; not after `onFatal`.
   */
  onExit?: (running: readonly RunningStep[]) => void;
  /** Watches for bodies that don't come back. `file` keeps over restarts which runs hung a process; `limit` in ms. */
  watchdog?: { file: string; limit?: number };
  /** Test mode: throwing here is a crash at that point; nothing happens in this engine afterwards. */
  faults?: (point: FaultPoint) => void;
  eveVersion?: string;
}

/** That a run ended; what it gave or failed with is in its result. */
export interface RunEnd {
  runId: string;
  workflowId: string;
  /** The tool it was a call of. */
  tool?: string;
  status: "completed" | "failed" | "cancelled";
  /** From its start on, in milliseconds of the wall clock. */
  durationMs: number;
}

/** A line that a body wrote to its console. */
export interface ConsoleLine {
  runId: string;
  level: "log" | "info" | "warn" | "error" | "debug";
  text: string;
}

export interface Problem {
  runId?: string;
  /** The attempt of a step that it came from. */
  step?: RunningStep;
  error: unknown;
}

/** An attempt of a step, as it runs in this process. */
export interface RunningStep {
  runId: string;
  stepId: string;
  /** 1 for the first. */
  attempt: number;
}

/** How a run is started. Give `tool` (with `input`) or `workflowId` (with `args`). */
export interface StartRun {
  tool?: string;
  workflowId?: string;
  /** The tool's input: a JSON object, already validated. */
  input?: unknown;
  /** Arguments of a plain workflow. */
  args?: readonly unknown[];
  /** The plain part of the tool context. */
  context?: ToolCall;
  /** Default: the newest build. */
  build?: Build;
  parentRunId?: string;
  /** Who receives the outward messages (`session:<id>` …); without it only followers in this process do. */
  target?: string;
  /** False when nobody can be asked: `ctx.ask` resolves as `unavailable` at once. Default true. */
  answerable?: boolean;
}

/** The plain part of `ctx`, as the session admitted the call. */
export interface ToolCall {
  session: unknown;
  callId: string;
  agents?: Readonly<Record<string, { description: string }>>;
}

/** How a run ended. */
export type RunResult =
  | { status: "completed"; output: unknown }
  | { status: "failed"; error: ErrorReport }
  | { status: "cancelled" };

/** An error as people and programs read it: its stack in the author's files. */
export interface ErrorReport {
  name: string;
  message: string;
  stack?: string;
}

export type { RunStatus };
