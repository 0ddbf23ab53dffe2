import { AsyncLocalStorage } from "node:async_hooks";
import process from "node:process";
import type { EveHost, HostStep } from "eve/internal/host-api";
import type { ErrorTexts } from "../values/stacks.js";

/** A promise was rejected and nobody handles it; or something was thrown where nobody can catch it. */
export type StrayKind = "rejection" | "exception";

/** What code in a step's call tree can reach: which step it is, and the engine that runs it. */
export interface StepScope {
  step: HostStep;
  /** The build whose code runs. */
  build: ErrorTexts;
  host: EveHost;
  /** Lends the step's slot while `work` waits for a run. */
  lendSlot<T>(runId: string, work: () => Promise<T>): Promise<T>;
  /** Told of an error of the step's code that reached nobody. */
  stray(kind: StrayKind, thrown: unknown): void;
}

export const stepScope = new AsyncLocalStorage<StepScope>();

let used = false;

/** Runs a step's code in its scope. */
export function inScope<T>(scope: StepScope, work: () => T): T {
  used = true;
  return stepScope.run(scope, work);
}

/**
 * Whether code of a replay context may be stopped by a time limit in this process. Before Node 24 async context is
 * kept with promise hooks, and stopping a microtask between its hooks makes Node abort the whole process.
 */
export function canLimitTime(): boolean {
  return !used || Number(process.versions.node.split(".")[0]) >= 24;
}
