import { readRun } from "../engine/load.js";
import { ImportError, LogVersionError } from "../errors/engine.js";
import { LOG_VERSION, type LogEntry } from "../log/types.js";
import { placeOfSite } from "../builds/place.js";
import type { Build } from "../builds/types.js";
import { buildOf, type ShowOptions } from "./show.js";
import { formFault } from "./entry-form.js";
import type { RunRow, Store } from "../store/types.js";

const FORMAT = "eve-run";

/** A run as a file: `eve runs export`. */
export interface ExportedRun {
  format: typeof FORMAT;
  version: number;
  run: RunRow;
  entries: LogEntry[];
}

/**
 * A run with its whole log, as plain JSON. Rejects with `RUN_NOT_FOUND`.
 *
 * Where the file is read the run's build isn't, so calls that the log holds as positions in its bundle get the author's
 * places (`@file:line:column`), if the build is among `builds`.
 */
export async function exportRun(
  store: Store,
  runId: string,
  options: ShowOptions = {},
): Promise<ExportedRun> {
  const { row, entries } = await readRun(store, runId);
  // Of a run that moved, nothing tells which build recorded which call.
  const build = row.movedTo === undefined ? await buildOf(row, options) : undefined;
  return {
    format: FORMAT,
    version: LOG_VERSION,
    run: row,
    entries: entries.map((entry) => placed(entry, build)),
  };
}

function placed(entry: LogEntry, build: Build | undefined): LogEntry {
  const { event } = entry;
  if (!("site" in event) || event.site === "") return entry;
  const place = placeOfSite(event.site, build);
  return place === undefined ? entry : { ...entry, event: { ...event, site: `@${place}` } };
}

/** Reads an exported run. Throws `ImportError` for anything else, `LogVersionError` for another version. */
export function parseExportedRun(text: string): ExportedRun {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ImportError(`it isn't JSON (${error instanceof Error ? error.message : String(error)})`);
  }
  const run = checkedForm(json);
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

// By hand: the schema library takes longer to load than a whole replay takes to run.
const RUN_FIELDS: Record<string, string> = {
  runId: "string",
  workflowId: "string",
  buildId: "string",
  status: "string",
  createdAt: "number",
  depth: "number",
};

/** Throws `ImportError` naming the first field that isn't of the form of an exported run, `LogVersionError`. */
function checkedForm(json: unknown): ExportedRun {
  const document = fieldsOf(json, "the document");
  if (document["format"] !== FORMAT) throw new ImportError(`format: it isn't ${JSON.stringify(FORMAT)}`);
  if (typeof document["version"] !== "number") throw new ImportError("version: it isn't a number");
  const run = fieldsOf(document["run"], "run");
  for (const [name, type] of Object.entries(RUN_FIELDS)) {
    if (typeof run[name] !== type) throw new ImportError(`run.${name}: it isn't a ${type}`);
  }
  const { entries } = document;
  if (!Array.isArray(entries)) throw new ImportError("entries: it isn't a list");
  // Another version may have other entries.
  if (document["version"] !== LOG_VERSION)
    throw new LogVersionError(String(run["runId"]), document["version"], LOG_VERSION);
  for (const [index, item] of entries.entries()) {
    const entry = fieldsOf(item, `entries[${index}]`);
    const event = fieldsOf(entry["event"], `entries[${index}].event`);
    if (
      typeof entry["seq"] !== "number" ||
      typeof entry["at"] !== "number" ||
      typeof event["type"] !== "string"
    ) {
      throw new ImportError(`entries[${index}]: it isn't { seq, at, event }`);
    }
    const fault = formFault(event);
    if (fault !== undefined) throw new ImportError(`entries[${index}].event.${fault}`);
  }
  return json as ExportedRun;
}

function fieldsOf(value: unknown, what: string): Record<string, unknown> {
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new ImportError(`${what}: it isn't an object`);
}
