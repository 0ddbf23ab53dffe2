import process from "node:process";
import { StepExceptionError, StepRejectionError } from "../errors/steps.js";
import { stepIdOf } from "../log/state.js";
import type { StrayKind } from "../steps/scope.js";
import { isErrorObject, readOf } from "../values/thrown.js";
import type { Actor } from "./actor.js";
import type { Core } from "./core.js";
import type { RunningStep } from "./options.js";

/** The attempts that run in this process, by run and step. */
export function runningSteps(core: Core): RunningStep[] {
  return [...core.actors.all()].flatMap(({ runId, running }) =>
    [...running].map(([key, { attempt }]) => ({ runId, stepId: stepIdOf(key), attempt })),
  );
}

/** What a step's code threw or rejected and nobody took: told where it can be, and never in the step's outcome. */
export function reportStray(
  core: Core,
  actor: Actor,
  step: RunningStep,
  kind: StrayKind,
  thrown: unknown,
): void {
  const stack = isErrorObject(thrown) ? readOf(() => thrown.stack) : undefined;
  const { runId, stepId, attempt } = step;
  const stray = {
    stepId,
    attempt,
    thrown,
    stack: typeof stack === "string" ? actor.build.mapStack(stack) : undefined,
  };
  if (kind === "rejection") return core.problem({ runId, step, error: new StepRejectionError(stray) });
  core.fatal = true;
  core.options.onFatal?.({ runId, step, error: new StepExceptionError(stray) });
}

/** Tells `onExit` what still runs when the process exits. Gives the function that ends this. */
export function watchExit(core: Core): () => void {
  const { onExit } = core.options;
  if (!onExit) return () => undefined;
  const exiting = () => {
    const running = runningSteps(core);
    if (running.length > 0 && !core.fatal) onExit(running);
  };
  process.on("exit", exiting);
  return () => process.off("exit", exiting);
}
