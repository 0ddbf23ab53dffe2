import { RunEndedError, RunNotFoundError, RunStalledError } from "../errors/engine.js";
import type { Core } from "./core.js";
import { waitForResult } from "./results.js";
import type { RunResult } from "./options.js";

export interface CancelOptions {
  reason?: string;
  /** How long the body may unwind, in milliseconds; default 30 s. */
  grace?: number;
}

/**
 * Cancels a run: aborts its signal, gives the body its grace to unwind, then ends it as cancelled. Resolves once
 * the request is recorded. Cancelling a run that has ended changes nothing.
 */
export async function cancelRun(core: Core, runId: string, options: CancelOptions = {}): Promise<void> {
  const deadline = core.clock.now() + (options.grace ?? core.limits.cancelGrace);
  try {
    await core.request<void>(runId, (ack) => ({
      type: "cancel",
      deadline,
      ack,
      ...(options.reason === undefined ? {} : { reason: options.reason }),
    }));
  } catch (error) {
    if (error instanceof RunStalledError) return await endStalled(core, runId);
    if (!(error instanceof RunEndedError)) throw error;
  }
}

/** The body of a run that was set aside must not run again, not even to unwind. */
async function endStalled(core: Core, runId: string): Promise<void> {
  const actor = await core.actors.loadToEnd(runId);
  await new Promise<void>((resolve, reject) => {
    core.loop.enqueue(actor, { type: "cancel-now", ack: { resolve, reject } });
  });
}

/** Cancels and waits for the end, up to 35 s; a run that hasn't published its outcome by then is ended by force. */
export async function cancelAndWait(
  core: Core,
  runId: string,
  options: CancelOptions = {},
): Promise<RunResult> {
  if (!(await core.store.run(runId))) throw new RunNotFoundError(runId);
  await cancelRun(core, runId, options);
  const result = waitForResult(core, runId);
  core.alarms.set(core.clock.now() + core.limits.cancelWait, () => {
    core
      .request<void>(runId, (ack) => ({ type: "cancel-now", ack }))
      .catch((error: unknown) => {
        if (!(error instanceof RunEndedError)) core.problem({ runId, error });
      });
  });
  return await result;
}
