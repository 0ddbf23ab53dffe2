/**
 * What the engine needs of a store. Two properties carry everything else: `commit` is one transaction over
 * any number of runs, and after it resolves nothing of it is ever lost.
 */
import type { LogEntry, RunStatus } from "../log/types.js";

/** What is known of a run without reading its log. Times are epoch milliseconds. */
export interface RunRow {
  runId: string;
  workflowId: string;
  buildId: string;
  /** The build that goes on with the run because the one that started it is gone. */
  movedTo?: string;
  status: RunStatus;
  createdAt: number;
  endedAt?: number;
  tool?: string;
  parentRunId?: string;
  /** 0 for a run nobody's step started. */
  depth: number;
  /** Who receives the run's outward messages: `session:<id>`, `run:<id>` … */
  target?: string;
}

/** A wait that ends at a time. `key` is an operation key, or a name of the engine's own such as `cancel`. */
export interface TimerRow {
  runId: string;
  key: string;
  dueAt: number;
}

export interface HookRow {
  token: string;
  runId: string;
  key: string;
  /** True for `createWebhook`: only those answer over HTTP. */
  webhook: boolean;
  createdAt: number;
  url?: string;
  /** devalue text. */
  metadata?: string;
  /** `"manual"`, or devalue text of a Response. */
  respondWith?: string;
}

export interface QuestionRow {
  requestId: string;
  runId: string;
  key: string;
  /** JSON of the request. */
  request: string;
  createdAt: number;
}

export type OutboxKind = "progress" | "question" | "question-resolved" | "receiving" | "reply" | "ended";

/** One outward message. `id` is `<runId>:<seq>` of the entry it belongs to: consumers drop repeats by it. */
export interface OutboxMessage {
  id: string;
  target: string;
  runId: string;
  kind: OutboxKind;
  /** JSON. */
  body: string;
}

export interface StoredMessage extends OutboxMessage {
  /** Position in the target's queue; ascending, not contiguous. */
  position: number;
}

export interface StreamChunk {
  stream: string;
  /** Contiguous from 0 per run and stream. */
  index: number;
  value: string;
}

export interface StreamState {
  /** Number of chunks written. */
  length: number;
  closed: boolean;
}

/** Everything one run changes in one transaction. */
export interface RunWrite {
  runId: string;
  /** From `claim`; a store refuses the whole transaction when someone else claimed the run since. */
  epoch: number;
  /** Continues the run's log without a gap. */
  entries: readonly LogEntry[];
  /** The run begins to exist with this write. */
  create?: RunRow;
  /** The new status, when it changed. An ended status also removes the run's timers, hooks and questions. */
  status?: RunStatus;
  endedAt?: number;
  /** The build that goes on with the run from now on. */
  movedTo?: string;
  setTimers?: readonly { key: string; dueAt: number }[];
  clearTimers?: readonly string[];
  openHooks?: readonly Omit<HookRow, "runId">[];
  closeHooks?: readonly string[];
  openQuestions?: readonly Omit<QuestionRow, "runId">[];
  closeQuestions?: readonly string[];
  outbox?: readonly OutboxMessage[];
  chunks?: readonly StreamChunk[];
  closeStreams?: readonly string[];
  /** Payloads that carry an idempotency key: remembered with the hook. */
  deliveries?: readonly { token: string; idempotencyKey: string }[];
}

export interface RunFilter {
  status?: readonly RunStatus[];
  parentRunId?: string;
  /** At most so many, newest first; default all. */
  limit?: number;
  /** Only runs older than this one: the cursor of the next page. */
  before?: string;
}

/**
 * A durable place for runs. Errors are the classes of `errors/store.ts`.
 * A write that is refused leaves nothing behind. `commit` fails with `HookTakenError` when a hook is opened
 * whose token another live hook has.
 */
export interface Store {
  /** True when opened for reading only: `claim` and `commit` fail with `STORE_CLOSED`. */
  readonly readOnly: boolean;

  /** Takes a run over and gives the epoch that later writes must carry. */
  claim(runId: string): Promise<number>;
  /**
   * One transaction for all writes: all or nothing, durable when it resolves. A store that waits for nothing has it
   * durable when it returns, and throws instead of rejecting: with async context followed, each promise costs a step.
   */
  commit(writes: readonly RunWrite[]): Promise<void> | undefined;

  run(runId: string): Promise<RunRow | undefined>;
  /** Newest first. */
  runs(filter?: RunFilter): Promise<RunRow[]>;
  /** The whole log of a run, ascending; rejects with `STORE_CORRUPTED` when it has a gap or unreadable entry. */
  log(runId: string): Promise<LogEntry[]>;
  /** The last entry of a run's log. */
  lastEntry(runId: string): Promise<LogEntry | undefined>;

  /** Timers due at or before `now`, earliest first. */
  dueTimers(now: number, limit: number): Promise<TimerRow[]>;
  /** The earliest due time later than `after`. */
  nextDue(after: number): Promise<number | undefined>;

  hook(token: string): Promise<HookRow | undefined>;
  /** Live hooks of one run, or of all, oldest first. */
  hooks(runId?: string): Promise<HookRow[]>;
  /** Has this hook taken a payload with that idempotency key? */
  delivered(token: string, idempotencyKey: string): Promise<boolean>;
  /** Open questions of one run, or of all, oldest first. */
  questions(runId?: string): Promise<QuestionRow[]>;
  question(requestId: string): Promise<QuestionRow | undefined>;

  /** Messages of a target that weren't acknowledged, in order. */
  messages(target: string, limit: number): Promise<StoredMessage[]>;
  /** Forgets a target's messages up to and including `position`. */
  acknowledge(target: string, position: number): Promise<void>;

  chunks(runId: string, stream: string, from: number, limit: number): Promise<StreamChunk[]>;
  streamState(runId: string, stream: string): Promise<StreamState>;

  /** Build ids that runs which haven't ended still need: that they started on, and that they moved to. */
  buildsInUse(): Promise<string[]>;
  close(): Promise<void>;
}

/** The statuses in which a run has ended for good. */
export const ENDED: ReadonlySet<RunStatus> = new Set<RunStatus>(["completed", "failed", "cancelled"]);
