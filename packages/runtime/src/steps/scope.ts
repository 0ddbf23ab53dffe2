import { AsyncLocalStorage } from "node:async_hooks";
import type { EveHost, HostStep } from "eve/internal/host-api";

/** What code in a step's call tree can reach: which step it is, and the engine that runs it. */
export interface StepScope {
  step: HostStep;
  host: EveHost;
  /** Lends the step's slot while `work` waits for a run. */
  lendSlot<T>(runId: string, work: () => Promise<T>): Promise<T>;
}

export const stepScope = new AsyncLocalStorage<StepScope>();
