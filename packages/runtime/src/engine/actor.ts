import type { Build } from "../builds/types.js";
import type { RunState } from "../log/state.js";
import type { RunStatus } from "../log/types.js";
import type { Body, OperationKey } from "../replay/protocol.js";
import type { RunSignals } from "../signals/run-signals.js";
import type { Lineage, Slot } from "../steps/slots.js";
import type { Codec } from "../values/index.js";
import type { ServerModule } from "../builds/server-module.js";
import type { RunRow } from "../store/types.js";
import type { Input } from "./inputs.js";

/** A run in memory: its body in a hot context, what is outstanding, and what hasn't been told to it yet. */
export interface Actor {
  readonly runId: string;
  readonly row: RunRow;
  readonly lineage: Lineage;
  readonly epoch: number;
  readonly build: Build;
  readonly signals: RunSignals;
  /** The codec for values of this run on the host; made when the first step asks for it. */
  codec(server?: ServerModule): Codec;
  state: RunState;
  body: Body;
  /** Until its first commit: what the store is to be told of the run, besides its log. */
  unborn: boolean;
  /** Status as the store knows it; undefined before the first commit. */
  storedStatus: RunStatus | undefined;
  inbox: Input[];
  /** Attempts that run in this process. */
  running: Map<OperationKey, { attempt: number; slot: Slot }>;
  /** Tokens of its live hooks. */
  tokens: Set<string>;
  /** Steps that wait for a slot. */
  queued: Set<OperationKey>;
  /** Its context doesn't fit the log any more (a commit failed): to be replayed before the next input. */
  stale: boolean;
  /** It was told that the run waits for nothing. */
  stuck?: boolean;
  /** Why its log can't be continued; all that can still be recorded is its end. */
  broken?: Error;
  /** The run ended or left this process: nothing may use this actor any more. */
  gone: boolean;
}

/** Whether the run could be dropped from memory and be replayed later without anybody noticing. */
export function isParked(actor: Actor): boolean {
  return (
    actor.storedStatus === "waiting" &&
    actor.inbox.length === 0 &&
    actor.running.size === 0 &&
    actor.queued.size === 0 &&
    !actor.gone
  );
}
