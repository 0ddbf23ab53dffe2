import { z } from "zod";
import { readRun } from "../engine/load.js";
import { ImportError, LogVersionError } from "../errors/engine.js";
import { LOG_VERSION, type LogEntry } from "../log/types.js";
import type { RunRow, Store } from "../store/types.js";

const FORMAT = "eve-run";

/** A run as a file: `eve runs export`. */
export interface ExportedRun {
  format: typeof FORMAT;
  version: number;
  run: RunRow;
  entries: LogEntry[];
}

const status = z.enum(["running", "waiting", "completed", "failed", "cancelled", "stalled"]);

const exported = z.object({
  format: z.literal(FORMAT),
  version: z.number().int(),
  run: z.object({
    runId: z.string().min(1),
    workflowId: z.string(),
    buildId: z.string(),
    status,
    createdAt: z.number(),
    endedAt: z.number().optional(),
    tool: z.string().optional(),
    parentRunId: z.string().optional(),
    depth: z.number().int().min(0),
    target: z.string().optional(),
  }),
  entries: z
    .array(z.object({ seq: z.number().int(), at: z.number(), event: z.looseObject({ type: z.string() }) }))
    .min(1),
});

/** A run with its whole log, as plain JSON. Rejects with `RUN_NOT_FOUND`. */
export async function exportRun(store: Store, runId: string): Promise<ExportedRun> {
  const { row, entries } = await readRun(store, runId);
  return { format: FORMAT, version: LOG_VERSION, run: row, entries };
}

/** Reads an exported run. Throws `ImportError` for anything else, `LogVersionError` for another version. */
export function parseExportedRun(text: string): ExportedRun {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ImportError(`it isn't JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const result = exported.safeParse(json);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new ImportError(
      `${issue?.path.join(".") || "the document"}: ${issue?.message ?? "has another form"}`,
    );
  }
  const run = result.data as unknown as ExportedRun;
  if (run.version !== LOG_VERSION) throw new LogVersionError(run.run.runId, run.version, LOG_VERSION);
  const gap = run.entries.findIndex((entry, index) => entry.seq !== index);
  if (gap >= 0) throw new ImportError(`entry ${gap} of the log is missing`);
  if (run.entries[0]?.event.type !== "run-started")
    throw new ImportError("its log doesn't begin with run-started");
  return run;
}

/**
 * Puts an ended run into a store, to look at it there. A run that goes on isn't taken over: two stores would
 * continue it. Rejects with `ImportError` for such a run and for one that is there already.
 */
export async function importRun(store: Store, run: ExportedRun): Promise<void> {
  const { runId } = run.run;
  const last = run.entries.at(-1)?.event;
  if (last?.type !== "run-ended")
    throw new ImportError(`run ${runId} hasn't ended; only ended runs are imported`);
  if (await store.run(runId)) throw new ImportError(`run ${runId} is in this store already`);
  const epoch = await store.claim(runId);
  await store.commit([{ runId, epoch, create: { ...run.run, status: last.status }, entries: run.entries }]);
}
