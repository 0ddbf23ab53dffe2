import type { EveHost, HostStep } from "eve/internal/host-api";
import type { OperationKey } from "../replay/protocol.js";
import { executeStep, type StepOutcome } from "../steps/execute.js";
import type { StepScope, StrayKind } from "../steps/scope.js";
import type { Slot, StepSlots } from "../steps/slots.js";
import { watchStrays } from "../steps/stray.js";
import type { Actor } from "./actor.js";
import type { RunningStep } from "./options.js";

export interface AttemptHost {
  now(): number;
  maxValue: number;
  slots: StepSlots;
  hostApi: EveHost;
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
    host.slots.release(slot);
    return;
  }
  const { stepId, args } = step;
  const scope: StepScope = {
    step: describeStep(actor, key, stepId, attempt, host),
    host: host.hostApi,
    async lendSlot(runId, work) {
      host.slots.lend(slot, runId);
      try {
        return await work();
      } finally {
        await host.slots.takeBack(slot);
      }
    },
    stray: (kind, thrown) => host.stray(actor, { runId: actor.runId, stepId, attempt }, kind, thrown),
  };
  watchStrays();
  const settle = (outcome: StepOutcome) => {
    host.slots.release(slot);
    host.outcome(actor, key, attempt, outcome);
  };
  executeStep(
    { stepId, args, attempt, scope },
    {
      build: actor.build,
      codec: (server) => actor.codec(server),
      signals: actor.signals,
      now: () => host.now(),
      maxValue: host.maxValue,
      flush: () => host.flush(actor.runId),
    },
    settle,
  );
}

function describeStep(
  actor: Actor,
  key: OperationKey,
  stepId: string,
  attempt: number,
  host: Pick<AttemptHost, "now" | "baseUrl">,
): HostStep {
  const { started, startedAt } = actor.state;
  return {
    runId: actor.runId,
    workflowName: started.workflowId,
    workflowStartedAt: startedAt,
    url: started.url ?? host.baseUrl(),
    stepName: stepId,
    stepId: `${actor.runId}/${key}`,
    stepStartedAt: host.now(),
    attempt,
  };
}
