import type { ErrorReport } from "../engine/options.js";
import type { RunStatus } from "../log/types.js";

/** A run in a list. Times are ISO 8601 in UTC, durations milliseconds. */
export interface RunSummary {
  runId: string;
  /** Absent for a plain workflow. */
  tool?: string;
  workflowId: string;
  status: RunStatus;
  startedAt: string;
  endedAt?: string;
  /** From start to end; absent while it goes on. */
  durationMs?: number;
  buildId: string;
  parentRunId?: string;
  depth: number;
}

export interface AttemptReport {
  attempt: number;
  startedAt: string;
  endedAt?: string;
  durationMs?: number;
  error?: ErrorReport;
  /** The process ended while it ran. */
  crashed?: boolean;
  /** The process was asked to end while it ran: the attempt doesn't count, and the next one has its number. */
  stopped?: boolean;
}

export interface StepReport {
  id: string;
  key: string;
  /** `stopped`: its process was asked to end while it ran; it goes on when the run is taken up again. */
  status: "waiting" | "running" | "retrying" | "stopped" | "completed" | "failed" | "dropped";
  attempts: number;
  /** The author's place of the call, when it can be told. */
  at?: string;
  createdAt: string;
  endedAt?: string;
  /** From the first attempt's start to the end. */
  durationMs?: number;
  retryAt?: string;
  /** The last attempt's error. */
  error?: ErrorReport;
  history: AttemptReport[];
}

/** Something the run waited or waits for. */
export interface WaitReport {
  kind: "sleep" | "hook" | "webhook" | "question";
  key: string;
  status: "open" | "done" | "withdrawn";
  at?: string;
  createdAt: string;
  endedAt?: string;
  /** Of a sleep. */
  until?: string;
  /** Of a hook. */
  token?: string;
  url?: string;
  payloads?: number;
  /** Of a question. */
  requestId?: string;
  request?: unknown;
  answer?: unknown;
}

/** One line of a run's history. */
export interface TimelineEntry {
  seq: number;
  at: string;
  /** Milliseconds since the start. */
  offsetMs: number;
  text: string;
}

export interface RunReport extends RunSummary {
  /** It waits for nothing that could come: only a cancellation ends it. */
  stuck?: true;
  input?: unknown;
  output?: unknown;
  error?: ErrorReport;
  cancelReason?: string;
  progress: unknown[];
  /** In the order in which they were asked for. */
  steps: StepReport[];
  waits: WaitReport[];
  timeline: TimelineEntry[];
  children: string[];
  nodeMajor: number;
  eveVersion: string;
}
