import process from "node:process";
import { placeOfSite } from "../builds/place.js";
import type { Build, Builds } from "../builds/types.js";
import { RunEndedError, RunNotFoundError, WorkflowMissingError } from "../errors/engine.js";
import { ReplayDivergenceError } from "../errors/replay.js";
import { CALL_SIGNAL, type RunState } from "../log/state.js";
import type { LogEntry } from "../log/types.js";
import { createBody, type Watchdog } from "../replay/index.js";
import type { Body, BodyHost, OperationKey } from "../replay/protocol.js";
import type { RunRow, Store } from "../store/types.js";
import { ReplayComparison } from "./compare.js";
import { bodyStart, recordedHooks, replayLog, startedEntry } from "./replay.js";

/** The build a run is continued on. */
export interface ChosenBuild {
  build: Build;
  /** The id of the build that started the run, when this is another one. */
  replaces?: string;
  /** The build that recorded it, when its places can still be told. */
  recordedOn?: Build;
}

/** The build that started the run; else the one that it moved to since; else the present one. */
export async function chooseBuild(
  builds: Builds,
  { buildId, movedTo }: Pick<RunRow, "buildId" | "movedTo">,
): Promise<ChosenBuild> {
  const moved = movedTo === undefined ? undefined : await builds.find(movedTo);
  if (moved) return { build: moved, replaces: buildId };
  const own = await builds.find(buildId);
  if (own) return { build: own };
  return { build: await builds.current(), replaces: buildId };
}

/** eve's own workflows are in no manifest: they come with the runtime the app was built with. */
const isOwn = (workflowId: string) => workflowId.startsWith("workflow//eve//");

/** Throws `WorkflowMissingError` when the build can't run the workflow. */
export function requireWorkflow({ build, replaces, recordedOn }: ChosenBuild, workflowId: string): void {
  if (Object.hasOwn(build.manifest.workflows, workflowId) || isOwn(workflowId)) return;
  const gone = replaces !== undefined && !recordedOn;
  throw new WorkflowMissingError(workflowId, build.id, gone ? { replaces } : {});
}

/** What can be known of a run from the store. Throws `RunNotFoundError`, `RunEndedError`. */
export async function readRun(store: Store, runId: string): Promise<{ row: RunRow; entries: LogEntry[] }> {
  const row = await store.run(runId);
  if (!row) throw new RunNotFoundError(runId);
  const entries = await store.log(runId);
  startedEntry(runId, entries);
  return { row, entries };
}

/** The same for a run that is to go on. */
export async function readLiveRun(
  store: Store,
  runId: string,
): Promise<{ row: RunRow; entries: LogEntry[] }> {
  const run = await readRun(store, runId);
  const last = run.entries.at(-1)?.event;
  if (last?.type === "run-ended") throw new RunEndedError(runId, last.status);
  return run;
}

export interface ReplayRequest {
  runId: string;
  entries: readonly LogEntry[];
  chosen: ChosenBuild;
  /** Tokens and addresses of hooks that are created after the recorded part. */
  fresh: BodyHost;
  /** Limit per pump in milliseconds; for `eve replay`. */
  timeout?: number;
  watchdog?: Watchdog;
}

/** A body that has been told everything its log holds. Throws `ReplayDivergenceError`, `WorkflowMissingError`. */
export function replayBody(request: ReplayRequest): Body {
  try {
    return replayOnce(request, true);
  } catch (error) {
    if (!(error instanceof ReplayDivergenceError)) throw error;
    // Once more with call sites, so that the message can name the author's lines.
    return replayOnce(request, false);
  }
}

function replayOnce(
  { runId, entries, chosen, fresh, timeout, watchdog }: ReplayRequest,
  silent: boolean,
): Body {
  const { at, event: started } = startedEntry(runId, entries);
  requireWorkflow(chosen, started.workflowId);
  const { build, replaces, recordedOn = replaces === undefined ? build : undefined } = chosen;
  const body = createBody(bodyStart(runId, started, at), build.bundle, recordedHost(entries, fresh), {
    ...(timeout === undefined ? {} : { timeout }),
    ...(watchdog ? { watchdog } : {}),
  });
  const comparison = new ReplayComparison(entries, {
    runId,
    started,
    interrupted: entries.some(({ event }) => event.type === "signal-aborted" && event.signal === CALL_SIGNAL),
    nodeMajor: Number(process.versions.node.split(".")[0]),
    placeNow: (site) => placeOfSite(site, build),
    placeRecorded: (site) => placeOfSite(site, recordedOn),
  });
  try {
    const outcome = replayLog(body, entries, comparison, { silent });
    const last = entries.at(-1)?.event;
    if (last?.type === "run-ended") comparison.outcome(last, outcome);
    else if (outcome) comparison.endedEarly(outcome);
    return body;
  } catch (error) {
    body.dispose();
    throw error;
  }
}

/** Gives a replayed hook its recorded token and address, and a new one a fresh token. */
function recordedHost(entries: readonly LogEntry[], fresh: BodyHost): BodyHost {
  const hooks = recordedHooks(entries);
  return {
    ...fresh,
    hookToken: (key) => hooks.get(key)?.token ?? fresh.hookToken(key),
    webhookUrl: (key, token) => hooks.get(key)?.url ?? fresh.webhookUrl(key, token),
  };
}

/** What is outstanding in a loaded run and has to be taken up again. */
export interface Outstanding {
  /** Attempts that ran when their process ended. */
  crashed: { key: OperationKey; stepId: string; attempt: number }[];
  retrying: { key: OperationKey; at: number }[];
  /** Steps that never started. */
  created: OperationKey[];
}

/** Sorts the unfinished steps; `running` are those that this process still runs. */
export function outstanding(
  state: RunState,
  running: ReadonlyMap<OperationKey, { attempt: number }>,
): Outstanding {
  const result: Outstanding = { crashed: [], retrying: [], created: [] };
  for (const { key, stepId, phase, attempts, retryAt } of state.steps.values()) {
    if (phase === "created") result.created.push(key);
    else if (phase === "retrying") result.retrying.push({ key, at: retryAt ?? 0 });
    else if (running.get(key)?.attempt !== attempts) result.crashed.push({ key, stepId, attempt: attempts });
  }
  return result;
}

/** Stands in for the body of a run that can't be replayed: only its end can still be recorded. */
export function brokenBody(runId: string): Body {
  return {
    runId,
    pump: () => {
      throw new Error(`The body of run ${runId} can't be continued`);
    },
    dispose: () => undefined,
  };
}

/** Whether an error means that the run itself can't go on, on whatever machine. */
export const endsRun = (error: unknown): error is ReplayDivergenceError | WorkflowMissingError =>
  error instanceof ReplayDivergenceError || error instanceof WorkflowMissingError;
