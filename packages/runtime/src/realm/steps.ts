import type { CallSite } from "../replay/protocol.js";
import { fitting } from "./limits.js";
import { stepSite } from "./stack.js";
import { nextKey, run, settled } from "./state.js";
import { codec, environment } from "./values.js";

type StepFunction = ((...args: unknown[]) => Promise<unknown>) & { stepId: string };

/** The compiled step function calls the operation, so its own frame isn't the author's call. */
const COMPILED_FRAMES = 1;

/** Where a compiled step says that it is being called; it calls `step` right afterwards. */
let given: CallSite = "";

/**
 * A step as the body calls it. The error of a failed step is completed here, after the `await`, so that its
 * stack leads on from the step's own frames into the body's.
 */
function stepFunction(stepId: string, ownFrames: number): StepFunction {
  async function step(...args: unknown[]): Promise<unknown> {
    const site = given || stepSite(step, ownFrames);
    given = "";
    const text = fitting(codec.encode(args, "args"), "The arguments of step", stepId);
    const result = await settled({ op: "step", key: nextKey(stepId), stepId, args: text, site });
    if (result.ok) return codec.decode(result.text);
    throw continued(codec.decode(result.text));
  }
  return Object.assign(step, { stepId });
}

/** Appends the body's frames, as seen from here, to the error's stack. */
export function continued(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const here: { stack?: string } = {};
  Error.captureStackTrace(here, continued);
  const frames = (here.stack ?? "").split("\n").slice(1);
  const stack = [error.stack ?? `${error.name}: ${error.message}`, ...frames].join("\n");
  Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true });
  return error;
}

const compiled = new Map<string, StepFunction>();

/**
 * `globalThis[Symbol.for("WORKFLOW_USE_STEP")]`.
 *
 * @param place `@file:line:column` of the call when the compiler knows it; anything else is looked for in the stack
 */
export function useStep(stepId: string, _: unknown, place: unknown): StepFunction {
  given = !run.replaying && typeof place === "string" && place.startsWith("@") ? place : "";
  let step = compiled.get(stepId);
  if (!step) compiled.set(stepId, (step = stepFunction(stepId, COMPILED_FRAMES)));
  return step;
}

environment.reviveStep = (stepId) => stepFunction(stepId, 0);
