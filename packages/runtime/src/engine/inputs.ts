import type { OperationKey } from "../replay/protocol.js";

/** Called once the transaction that holds an input is committed, or was given up. */
export interface Ack<T> {
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** JSON shape of what a question resolves with. */
export interface AskAnswer {
  status: "answered" | "cancelled" | "unavailable";
  optionId?: string;
  text?: string;
}

/**
 * Something that happened to a run and isn't in its log yet. An input that has come too late (the step's run
 * ended, the question was withdrawn) is dropped, or rejected when somebody waits for its acknowledgement.
 */
export type Input = {
  /** When it came from outside (epoch ms): sleeps that were due by then are told first. */
  arrivedAt?: number;
} & Event;

type Event =
  | { type: "start"; ack: Ack<void> }
  | { type: "step-completed"; key: OperationKey; attempt: number; value: string }
  | {
      type: "step-failed";
      key: OperationKey;
      attempt: number;
      error: string;
      retryAt?: number;
      crashed?: boolean;
    }
  /** The engine closes: an attempt that runs is given up. */
  | { type: "step-stopped"; key: OperationKey; attempt: number }
  /** The run was cancelled: a step that has no attempt running gets none any more. */
  | { type: "step-withdrawn"; key: OperationKey }
  /** A retry's time has come. */
  | { type: "retry"; key: OperationKey }
  | { type: "sleep"; key: OperationKey; ack?: Ack<void> }
  | {
      type: "payload";
      key: OperationKey;
      value: string;
      idempotencyKey?: string;
      /** Gets the request's name, for a webhook that answers by itself. */
      ack: Ack<{ request?: string; repeated?: boolean }>;
    }
  /** A step answers a webhook request. */
  | { type: "respond"; request: string; response: string; ack: Ack<void> }
  | { type: "hook-ready"; key: OperationKey }
  | { type: "hook-conflict"; key: OperationKey; token: string; runId: string | null }
  | { type: "answer"; key: OperationKey; answer: AskAnswer; ack?: Ack<void> }
  | { type: "abort"; signal: string; reason?: string; ack?: Ack<void> }
  | { type: "cancel"; reason?: string; deadline: number; ack?: Ack<void> }
  /** Ends the run as cancelled, whatever the body does. */
  | { type: "cancel-now"; ack?: Ack<void> }
  /** For a `serve` body: a call, the cancellation of its waiting calls, or that no more will come. */
  | { type: "call"; record: string; input: string; ack?: Ack<void> }
  | { type: "calls-cancelled"; signal: string; reason?: string; ack?: Ack<void> }
  | { type: "calls-ended"; reason: string; ack?: Ack<void> }
  | { type: "custom"; key: OperationKey; ok: boolean; value: string }
  /** The engine ends the run: its log can't be continued. `error`: devalue text. */
  | { type: "fail"; error: string; ack?: Ack<void> }
  /** Nothing happened; the run is looked at all the same. */
  | { type: "wake" };

/** The acknowledgement of an input, when somebody waits for one. */
export function ackOf(input: Input): Ack<never> | undefined {
  return "ack" in input ? (input.ack as Ack<never> | undefined) : undefined;
}
