import type { RunFilter, RunRow, Store } from "../store/types.js";
import type { RunSummary } from "./types.js";

/** ISO 8601 in UTC; a time that no date holds is told in words, so that a report never fails for it. */
export function iso(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? "beyond any date" : date.toISOString();
}

/** The part of a report that needs no log. */
export function summarise(row: RunRow): RunSummary {
  const { runId, workflowId, status, createdAt, endedAt, tool, buildId, parentRunId, depth } = row;
  return {
    runId,
    ...(tool === undefined ? {} : { tool }),
    workflowId,
    status,
    startedAt: iso(createdAt),
    ...(endedAt === undefined ? {} : { endedAt: iso(endedAt), durationMs: endedAt - createdAt }),
    buildId,
    ...(parentRunId === undefined ? {} : { parentRunId }),
    depth,
  };
}

/** The runs of a store, newest first. Works on a store that is open for reading only. */
export async function listRuns(store: Store, filter?: RunFilter): Promise<RunSummary[]> {
  return (await store.runs(filter)).map(summarise);
}
