import type { Builds } from "../builds/types.js";
import { presentEntries } from "../engine/aliases.js";
import { readRun, replayBody, type ChosenBuild } from "../engine/load.js";
import { startedEntry } from "../engine/replay.js";
import { WorkflowMissingError } from "../errors/engine.js";
import { describeMisfit, ReplayDivergenceError, type DivergenceDetails } from "../errors/replay.js";
import { canLimitTime } from "../steps/scope.js";
import type { LogEntry } from "../log/types.js";
import type { Store } from "../store/types.js";

/** What `eve replay` says of a run. */
export type ReplayReport =
  | { status: "identical"; runId: string }
  /** The first place where the present code does something else. */
  | { status: "diverged"; runId: string; at: Omit<DivergenceDetails, "runId">; message: string }
  /** The present build has no such workflow. */
  | { status: "missing"; runId: string; workflowId: string; message: string };

/** Limit for one pump of a body under `eve replay`, in milliseconds: changed code may loop. */
const PUMP_LIMIT = 10_000;

/**
 * Runs a recorded run's body again on the present build, without any effect, and compares what it asks for with
 * the log. Rejects with `RUN_NOT_FOUND` and errors of the store and build.
 */
export async function replayRun(store: Store, builds: Builds, runId: string): Promise<ReplayReport> {
  const { row, entries } = await readRun(store, runId);
  const current = await builds.current();
  // On the build that recorded it the old places can be named too; on another one they can't.
  const recordedOn = current.id === row.buildId ? undefined : await builds.find(row.buildId);
  return replayEntries(runId, entries, {
    build: current,
    ...(current.id === row.buildId ? {} : { replaces: row.buildId }),
    ...(recordedOn === undefined ? {} : { recordedOn }),
  });
}

/**
 * The same for a log at hand, such as an exported one. Before Node 24 a body that loops for ever is stopped only in
 * a process that has run no steps (see `canLimitTime`), as `eve replay` is one.
 * Throws `BodyTimeoutError` for such a body.
 */
export function replayEntries(
  runId: string,
  entries: readonly LogEntry[],
  chosen: ChosenBuild,
): ReplayReport {
  const { event: started } = startedEntry(runId, entries);
  try {
    const body = replayBody({
      runId,
      entries: presentEntries(entries, chosen),
      chosen,
      ...(canLimitTime() ? { timeout: PUMP_LIMIT } : {}),
      fresh: {
        hookToken: (key) => `replay-${key}`,
        webhookUrl: (_key, token) => `http://localhost/.well-known/workflow/v1/webhook/${token}`,
      },
    });
    body.dispose();
    return { status: "identical", runId };
  } catch (error) {
    if (error instanceof ReplayDivergenceError) {
      const { now, recorded, difference, nodeMajor } = error.details;
      const at = {
        difference,
        ...(now ? { now } : {}),
        ...(recorded ? { recorded } : {}),
        ...(nodeMajor ? { nodeMajor } : {}),
      };
      return {
        status: "diverged",
        runId,
        at,
        message: describeMisfit(error.details, chosen.replaces === undefined),
      };
    }
    if (error instanceof WorkflowMissingError) {
      const { workflowId } = started;
      const message =
        `The present build ${chosen.build.id} has no workflow ${workflowId}, which run ${runId} recorded: ` +
        "it was renamed, moved or removed.";
      return { status: "missing", runId, workflowId, message };
    }
    throw error;
  }
}
