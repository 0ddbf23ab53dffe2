import type { EveHost, HostStep } from "eve/internal/host-api";
import type { Build } from "../builds/types.js";
import type { ServerModule } from "../builds/server-module.js";
import type { PendingStep } from "../log/state.js";
import type { OperationKey } from "../replay/protocol.js";
import type { RunSignals } from "../signals/run-signals.js";
import { executeStep, type StepAttempt, type StepOutcome } from "../steps/execute.js";
import type { StrayKind } from "../steps/scope.js";
import type { Slot } from "../steps/slots.js";
import { watchStrays } from "../steps/stray.js";
import type { Codec } from "../values/index.js";
import type { Actor } from "./actor.js";
import type { RunningStep } from "./options.js";

export interface AttemptHost {
  now(): number;
  maxValue: number;
  release(slot: Slot): void;
  lend(slot: Slot, runId: string): void;
  takeBack(slot: Slot): Promise<void>;
  hostApi(): EveHost;
  baseUrl(): string;
  flush(runId: string): Promise<unknown> | undefined;
  /** An error of the step's code reached nobody. */
  stray(actor: Actor, step: RunningStep, kind: StrayKind, thrown: unknown): void;
  /** What came of the attempt. */
  outcome(actor: Actor, key: OperationKey, attempt: number, outcome: StepOutcome): void;
}

/** Runs one attempt of a step in this process. Nothing is thrown: whatever happens is an outcome. */
export function startAttempt(
  actor: Actor,
  key: OperationKey,
  attempt: number,
  slot: Slot,
  host: AttemptHost,
): void {
  const step = actor.state.steps.get(key);
  if (!step) {
    host.release(slot);
    return;
  }
  watchStrays();
  executeStep(new Attempt(actor, step, attempt, slot, host));
}

/** An attempt that runs. A class rather than closures: there is one for every step. */
class Attempt implements StepAttempt {
  readonly stepId: string;
  readonly args: string;
  readonly attempt: number;
  readonly host: EveHost;
  readonly #actor: Actor;
  readonly #key: OperationKey;
  readonly #slot: Slot;
  readonly #engine: AttemptHost;
  readonly #startedAt: number;
  #described: HostStep | undefined;

  constructor(actor: Actor, step: PendingStep, attempt: number, slot: Slot, engine: AttemptHost) {
    this.stepId = step.stepId;
    this.args = step.args;
    this.attempt = attempt;
    this.host = engine.hostApi();
    this.#actor = actor;
    this.#key = step.key;
    this.#slot = slot;
    this.#engine = engine;
    this.#startedAt = engine.now();
  }

  get build(): Build {
    return this.#actor.build;
  }

  get signals(): RunSignals {
    return this.#actor.signals;
  }

  get maxValue(): number {
    return this.#engine.maxValue;
  }

  get step(): HostStep {
    return (this.#described ??= this.#describe());
  }

  #describe(): HostStep {
    const { runId, state } = this.#actor;
    const { started, startedAt } = state;
    return {
      runId,
      workflowName: started.workflowId,
      workflowStartedAt: startedAt,
      url: started.url ?? this.#engine.baseUrl(),
      stepName: this.stepId,
      stepId: `${runId}/${this.#key}`,
      stepStartedAt: this.#startedAt,
      attempt: this.attempt,
    };
  }

  codec(server: ServerModule): Codec {
    return this.#actor.codec(server);
  }

  now(): number {
    return this.#engine.now();
  }

  flush(): Promise<unknown> | undefined {
    return this.#engine.flush(this.#actor.runId);
  }

  async lendSlot<T>(runId: string, work: () => Promise<T>): Promise<T> {
    this.#engine.lend(this.#slot, runId);
    try {
      return await work();
    } finally {
      await this.#engine.takeBack(this.#slot);
    }
  }

  stray(kind: StrayKind, thrown: unknown): void {
    const { stepId, attempt } = this;
    this.#engine.stray(this.#actor, { runId: this.#actor.runId, stepId, attempt }, kind, thrown);
  }

  done(outcome: StepOutcome): void {
    this.#engine.release(this.#slot);
    this.#engine.outcome(this.#actor, this.#key, this.attempt, outcome);
  }
}
