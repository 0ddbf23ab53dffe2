import type { SignalHandle, StreamHandle, ToolContextHandle } from "../environment.js";
import { isObject, type ValueKind } from "./kind.js";

/** An `AbortSignal`: its abort reaches every copy, wherever it runs. */
export const signalKind: ValueKind = {
  tag: "AbortSignal",
  reduce: (value, { environment }) => (isObject(value) ? environment.describeSignal(value) : undefined),
  revive: (handle: SignalHandle, environment) => environment.reviveSignal(handle),
};

/** A stream, by name. */
export const streamKind: ValueKind = {
  tag: "Stream",
  reduce: (value, { environment }) => (isObject(value) ? environment.describeStream(value) : undefined),
  revive: (handle: StreamHandle, environment) => environment.reviveStream(handle),
};

/** `ctx`. The specification allows it as an argument of its own only. */
export const toolContextKind: ValueKind = {
  tag: "ToolContext",
  reduce: (value, { environment, direct }) =>
    isObject(value) && direct.has(value) ? environment.describeToolContext(value) : undefined,
  revive: (handle: ToolContextHandle, environment) => environment.reviveToolContext(handle),
};

/** A step function: calling it on the other side calls the step. */
export const stepKind: ValueKind = {
  tag: "Step",
  reduce(value) {
    if (typeof value !== "function") return undefined;
    const { stepId } = value as { stepId?: unknown };
    return typeof stepId === "string" ? { stepId } : undefined;
  },
  revive: ({ stepId }: { stepId: string }, environment) => environment.reviveStep(stepId),
};
