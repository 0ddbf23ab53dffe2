import { LogVersionError } from "../errors/engine.js";
import { deliveryOf } from "../log/delivery.js";
import { LOG_VERSION, type LogEntry } from "../log/types.js";
import type { RunStarted } from "../log/state.js";
import type { Body, BodyStart, Delivery, OperationKey, Outcome } from "../replay/protocol.js";
import type { ReplayComparison } from "./compare.js";

/** What a fresh context needs to run the body of a run, from its first entry. */
export function bodyStart(runId: string, started: RunStarted, startedAt: number): BodyStart {
  return {
    runId,
    workflowId: started.workflowId,
    args: started.args,
    seed: started.seed,
    startedAt,
    metadata: JSON.stringify({
      workflowRunId: runId,
      workflowName: started.workflowId,
      workflowStartedAt: startedAt,
      url: started.url ?? "",
    }),
    ...(started.context === undefined ? {} : { tool: started.context }),
    ...(started.entryPoint === undefined ? {} : { entryPoint: started.entryPoint }),
    ...(started.valueSize === undefined ? {} : { valueSize: started.valueSize }),
  };
}

/** The first entry of a log, checked. Throws `LogVersionError`, or a TypeError for a log without a start. */
export function startedEntry(runId: string, entries: readonly LogEntry[]): { at: number; event: RunStarted } {
  const [first] = entries;
  if (first?.event.type !== "run-started")
    throw new TypeError(`The log of run ${runId} doesn't begin with its start`);
  if (first.event.version !== LOG_VERSION) throw new LogVersionError(runId, first.event.version, LOG_VERSION);
  return { at: first.at, event: first.event };
}

/**
 * Feeds a whole log to a fresh body, in log order, and compares what the body asks for with the record.
 * Gives the body's outcome when the log led to its end. Throws `ReplayDivergenceError`. A `silent` replay is
 * twice as fast, but can't say where in the code an operation was asked for.
 */
export function replayLog(
  body: Body,
  entries: readonly LogEntry[],
  comparison: ReplayComparison,
  options: { silent: boolean },
): Outcome | undefined {
  let outcome: Outcome | undefined;
  for (const entry of entries) {
    const delivery = deliveryOf(entry);
    if (!delivery) continue;
    if (outcome) comparison.endedEarly(outcome);
    comparison.beforeDelivery(keyOf(delivery));
    const result = body.pump(options.silent ? { ...delivery, replaying: true } : delivery);
    for (const operation of result.operations) comparison.operation(operation);
    outcome = result.outcome;
  }
  comparison.finish();
  return outcome;
}

function keyOf(delivery: Delivery): OperationKey | undefined {
  return "key" in delivery ? delivery.key : undefined;
}

/** Tokens and URLs that the log recorded, for hooks that are created again on replay. */
export function recordedHooks(
  entries: readonly LogEntry[],
): Map<OperationKey, { token: string; url?: string }> {
  const hooks = new Map<OperationKey, { token: string; url?: string }>();
  for (const { event } of entries) {
    if (event.type !== "hook-created") continue;
    hooks.set(event.key, { token: event.token, ...(event.url === undefined ? {} : { url: event.url }) });
  }
  return hooks;
}
