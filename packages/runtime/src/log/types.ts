/**
 * The log of a run (02 §1): append-only, `seq` contiguous from 0. What is in it decides what the body sees;
 * nothing else does. Values are devalue text, records plain JSON.
 */
import type { CallSite, OperationKey, Outcome } from "../replay/protocol.js";

/** Raised when the meaning of an entry changes; a log of a newer version is refused, never guessed at. */
export const LOG_VERSION = 1;

export interface ErrorRecord {
  name: string;
  message: string;
  /** Mapped to the author's files. */
  stack?: string;
}

export type LogEvent =
  | {
      type: "run-started";
      version: number;
      workflowId: string;
      buildId: string;
      args: string;
      seed: string;
      nodeMajor: number;
      eveVersion: string;
      tool?: string;
      /** JSON of the plain part of the tool context. */
      context?: string;
      entryPoint?: "execute" | "task" | "serve";
      /** Public base URL at the start, for `getWorkflowMetadata()`. */
      url?: string;
      /** Largest encoded value of one operation, in characters: kept, so that a replay refuses what was refused. */
      valueSize?: number;
      /** False when nobody can be asked: questions resolve as `unavailable` at once. */
      answerable?: boolean;
      parentRunId?: string;
      depth: number;
    }
  | { type: "run-ended"; status: "completed" | "failed" | "cancelled"; output?: string; error?: string }
  | { type: "step-created"; key: OperationKey; stepId: string; args: string; site: CallSite }
  | { type: "step-started"; key: OperationKey; attempt: number }
  | { type: "step-completed"; key: OperationKey; attempt: number; value: string }
  /** One attempt failed; `retryAt` when another follows. */
  | {
      type: "step-failed";
      key: OperationKey;
      attempt: number;
      error: string;
      retryAt?: number;
      /** The process ended while the attempt ran. */
      crashed?: boolean;
      /** The process was asked to end while the attempt ran: it doesn't count, and the next one has its number. */
      stopped?: boolean;
      /**
       * The run was cancelled, so no other attempt follows. Such an entry may repeat an attempt that waited for its
       * retry, or name attempt 0 of a step that never began.
       */
      cancelled?: boolean;
    }
  | { type: "sleep-created"; key: OperationKey; until: number; site: CallSite }
  | { type: "sleep-fired"; key: OperationKey }
  | {
      type: "hook-created";
      key: OperationKey;
      token: string;
      webhook: boolean;
      url?: string;
      metadata?: string;
      respondWith?: string;
      site: CallSite;
    }
  /** The token is this run's: told to the body so that `getConflict()` answers at the same point on replay. */
  | { type: "hook-ready"; key: OperationKey }
  | { type: "hook-conflict"; key: OperationKey; token: string; runId: string | null }
  | { type: "hook-received"; key: OperationKey; value: string }
  | { type: "hook-disposed"; key: OperationKey }
  /** `by` a step when a step that got the request answered it. */
  | { type: "responded"; request: string; response: string; by: "body" | "step" }
  | {
      type: "ask-created";
      key: OperationKey;
      requestId: string;
      request: string;
      signals: string[];
      /** The call of a `serve` body that it belongs to. */
      call?: string;
      site: CallSite;
    }
  /** JSON of `{status, optionId?, text?}`. */
  | { type: "ask-resolved"; key: OperationKey; answer: string }
  | { type: "signal-aborted"; signal: string; reason?: string; by: "body" | "host" }
  | { type: "progress"; value: string }
  | { type: "stream-written"; stream: string; value: string }
  | { type: "stream-closed"; stream: string }
  | { type: "cancel-requested"; reason?: string }
  /** A `serve` body is ready for its next call. */
  | { type: "receiving"; key: OperationKey }
  /** `ctx.reply`: JSON of the output, for the calls of these ids. */
  | { type: "replied"; key: OperationKey; value: string; calls: string[] }
  /** A call for a `serve` body: JSON of its record, devalue text of its input. */
  | { type: "call-received"; record: string; input: string }
  | { type: "calls-cancelled"; signal: string; reason?: string }
  | { type: "calls-ended"; reason: string }
  | { type: "custom-created"; key: OperationKey; name: string; args: string; site: CallSite }
  | { type: "custom-resolved"; key: OperationKey; ok: boolean; value: string };

export interface LogEntry {
  seq: number;
  /** Epoch milliseconds, wall clock of the writer; never decreases within a run. */
  at: number;
  event: LogEvent;
}

export type RunStatus = "running" | "waiting" | "completed" | "failed" | "cancelled" | "stalled";

export type { Outcome };
