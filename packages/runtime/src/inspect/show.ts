import { readRun } from "../engine/load.js";
import { placeOfSite } from "../builds/place.js";
import type { Build, Builds } from "../builds/types.js";
import { RuntimeError } from "../errors/base.js";
import { isStuck, reduceLog } from "../log/state.js";
import type { LogEntry } from "../log/types.js";
import type { RunRow, Store } from "../store/types.js";
import { summarise } from "./list.js";
import { reportSteps } from "./steps.js";
import { reportTimeline } from "./timeline.js";
import type { RunReport } from "./types.js";
import { readError, readValue } from "./values.js";
import { reportWaits } from "./waits.js";

export interface ShowOptions {
  /** Where the run's build is looked up, to name the author's lines of calls whose place isn't in the log. */
  builds?: Pick<Builds, "find">;
}

/**
 * Everything that is known of a run: steps with their attempts, waits, progress, result, and a timeline.
 * Works on a store that is open for reading only. Rejects with `RUN_NOT_FOUND`.
 */
export async function showRun(store: Store, runId: string, options: ShowOptions = {}): Promise<RunReport> {
  const { row, entries } = await readRun(store, runId);
  const build = await buildOf(row, options);
  const children = await store.runs({ parentRunId: runId });
  return reportRun(row, entries, {
    place: (site) => placeOfSite(site, build),
    children: children.map((child) => child.runId).reverse(),
  });
}

/** The build that started a run; undefined when it is gone or damaged. */
export async function buildOf({ buildId }: RunRow, { builds }: ShowOptions): Promise<Build | undefined> {
  try {
    return await builds?.find(buildId);
  } catch (error) {
    // A damaged build says no places any more; everything else of the run is in the store.
    if (error instanceof RuntimeError) return undefined;
    throw error;
  }
}

/** The report of a run whose log is at hand. */
export function reportRun(
  row: RunRow,
  entries: readonly LogEntry[],
  context: { place(site: string): string | undefined; children: string[] },
): RunReport {
  const started = entries[0]?.event;
  if (started?.type !== "run-started")
    throw new TypeError(`The log of run ${row.runId} doesn't begin with its start`);
  const place = (site: string) => context.place(site);
  const [input] = readValue(started.args) as unknown[];
  return {
    ...summarise(row),
    ...(input === undefined ? {} : { input }),
    ...endOf(entries),
    ...(isStuck(reduceLog(entries)) ? { stuck: true as const } : {}),
    progress: entries.flatMap(({ event }) =>
      event.type === "progress" ? [JSON.parse(event.value) as unknown] : [],
    ),
    steps: reportSteps(entries, place),
    waits: reportWaits(entries, place),
    timeline: reportTimeline(entries),
    children: context.children,
    nodeMajor: started.nodeMajor,
    eveVersion: started.eveVersion,
  };
}

function endOf(entries: readonly LogEntry[]): Pick<RunReport, "output" | "error" | "cancelReason"> {
  const cancel = entries.find(({ event }) => event.type === "cancel-requested")?.event;
  const reason = cancel?.type === "cancel-requested" ? cancel.reason : undefined;
  const last = entries.at(-1)?.event;
  return {
    ...(reason === undefined ? {} : { cancelReason: reason }),
    ...(last?.type === "run-ended" && last.output !== undefined ? { output: readValue(last.output) } : {}),
    ...(last?.type === "run-ended" && last.error !== undefined ? { error: readError(last.error) } : {}),
  };
}
