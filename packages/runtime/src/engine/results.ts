import { RunNotFoundError } from "../errors/engine.js";
import type { RunEvent, TransientEvent } from "../log/events.js";
import type { RunEnded } from "../log/state.js";
import { toRunEvent } from "../log/events.js";
import type { LogEntry, RunStatus } from "../log/types.js";
import { ValueFormatError } from "../values/index.js";
import { readError } from "../inspect/values.js";
import { stepScope } from "../steps/scope.js";
import { isParked } from "./actor.js";
import type { Core } from "./core.js";
import { chooseBuild } from "./load.js";
import type { RunResult } from "./options.js";

/** A new status of a run, and how it ended if that is the change. */
export interface StatusChange {
  status: RunStatus;
  ended?: RunEnded;
}

/** How a run ended, from the last entry of its log. */
export async function resultOf(core: Core, runId: string): Promise<RunResult | undefined> {
  const last = await core.store.lastEntry(runId);
  if (!last) throw new RunNotFoundError(runId);
  return last.event.type === "run-ended" ? await readEnd(core, runId, last.event) : undefined;
}

async function readEnd(core: Core, runId: string, { status, output, error }: RunEnded): Promise<RunResult> {
  if (status === "cancelled") return { status };
  if (status === "completed") return { status, output: await decodeOutput(core, runId, output) };
  return { status, error: readError(error ?? "") };
}

/** Only a result with instances of the app's classes needs the app's code; it is loaded when one turns up. */
async function decodeOutput(core: Core, runId: string, text: string | undefined): Promise<unknown> {
  if (text === undefined) return undefined;
  try {
    return core.values.plain().decode(text);
  } catch (error) {
    if (!(error instanceof ValueFormatError)) throw error;
    const row = await core.store.run(runId);
    const { build } = await chooseBuild(core.options.builds, row ?? { buildId: "" });
    return core.values.plain(await build.server()).decode(text);
  }
}

/** Resolves when the run has ended. A step that waits for a run lends it its slot meanwhile. */
export function waitForResult(core: Core, runId: string): Promise<RunResult> {
  const wait = async () => {
    for (;;) {
      const result = await nextEnd(core, runId);
      if (result) return result;
    }
  };
  const scope = stepScope.getStore();
  return scope ? scope.lendSlot(runId, wait) : wait();
}

/** Resolves with the status as soon as the run has ended or waits for something from outside. */
export async function waitUntilIdle(core: Core, runId: string): Promise<RunStatus> {
  for (;;) {
    const changed = core.statuses.next(runId);
    const row = await core.store.run(runId);
    if (!row) throw new RunNotFoundError(runId);
    if (row.status !== "running") {
      changed.stop();
      return row.status;
    }
    await changed.happened;
  }
}

/** How a run has ended, or ends with the next change of its status. What changes about one at work here is told. */
async function nextEnd(core: Core, runId: string): Promise<RunResult | undefined> {
  const change = core.statuses.next(runId);
  try {
    const actor = core.actors.get(runId);
    if (!actor || actor.unborn || isParked(actor)) {
      const result = await resultOf(core, runId);
      if (result) return result;
    }
    const { ended } = await change.happened;
    return ended && (await readEnd(core, runId, ended));
  } finally {
    change.stop();
  }
}

/**
 * Follows a run from its first entry (or from after `after`, an event's id) until it ends. Recorded events come
 * once each; statuses only while they happen.
 */
export async function* followRun(
  core: Core,
  runId: string,
  options: { after?: string; signal?: AbortSignal } = {},
): AsyncGenerator<RunEvent | TransientEvent> {
  const queue: (RunEvent | TransientEvent)[] = [];
  let wake = () => {};
  const unsubscribe = core.hub.subscribe(runId, (event) => {
    queue.push(event);
    wake();
  });
  const aborted = () => wake();
  options.signal?.addEventListener("abort", aborted);
  try {
    let seen = options.after === undefined ? -1 : seqOf(options.after);
    for (const event of recorded(runId, await core.store.log(runId), seen)) {
      seen = seqOf(event.id);
      yield event;
      if (event.type === "ended") return;
    }
    if (seen < 0 && !(await core.store.run(runId))) throw new RunNotFoundError(runId);
    while (!options.signal?.aborted) {
      const event = queue.shift();
      if (!event) {
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      if ("id" in event) {
        if (seqOf(event.id) <= seen) continue;
        seen = seqOf(event.id);
      }
      yield event;
      if (event.type === "ended") return;
    }
  } finally {
    unsubscribe();
    options.signal?.removeEventListener("abort", aborted);
  }
}

function recorded(runId: string, entries: readonly LogEntry[], after: number): RunEvent[] {
  return entries.flatMap((entry) => (entry.seq > after ? (toRunEvent(runId, entry) ?? []) : []));
}

const seqOf = (id: string): number => Number(id.slice(id.lastIndexOf(":") + 1));
