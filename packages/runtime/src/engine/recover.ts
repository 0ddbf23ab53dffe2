import { RunEndedError, RunNotFoundError } from "../errors/engine.js";
import { isParked } from "./actor.js";
import type { Core } from "./core.js";
import { forgetStalls, readStalls, STALLS_ALLOWED } from "./stalls.js";

/**
 * Takes up every run that was at work when its process ended, and arms the timers of those that wait. A run whose
 * body hung two processes is set aside. Gives the number of runs taken up.
 */
export async function recover(core: Core): Promise<number> {
  await setStalledAside(core);
  const rows = await core.store.runs({ status: ["running"] });
  let taken = 0;
  // Oldest first: they have waited longest.
  for (const { runId } of rows.reverse()) {
    try {
      await core.load(runId);
      taken += 1;
    } catch (error) {
      if (!(error instanceof RunEndedError)) core.problem({ runId, error });
    }
  }
  await core.timers.load();
  await pruneBuilds(core);
  return taken;
}

/** Lets go of kept builds that no run needs. */
export async function pruneBuilds(core: Core): Promise<void> {
  try {
    await core.options.builds.prune(await core.store.buildsInUse());
  } catch (error) {
    // Old copies that can't be removed only take space.
    core.problem({ error });
  }
}

async function setStalledAside(core: Core): Promise<void> {
  const file = core.options.watchdog?.file;
  if (file === undefined) return;
  for (const [runId, count] of readStalls(file)) {
    const row = await core.store.run(runId);
    if (!row || row.endedAt !== undefined) forgetStalls(file, runId);
    else if (count >= STALLS_ALLOWED && row.status !== "stalled") {
      await core.store.commit([
        { runId, epoch: await core.store.claim(runId), entries: [], status: "stalled" },
      ]);
    }
  }
}

/** Takes a run into memory, whatever it waits for. */
export async function resume(core: Core, runId: string): Promise<void> {
  const actor = await core.load(runId);
  if (isParked(actor)) core.actors.park(actor);
  await core.timers.load(); // what it sleeps until
}

/** Takes up a run that was set aside, for example after a new build of its workflow. */
export async function retryStalled(core: Core, runId: string): Promise<void> {
  const row = await core.store.run(runId);
  if (!row) throw new RunNotFoundError(runId);
  if (row.status !== "stalled") return;
  const file = core.options.watchdog?.file;
  if (file !== undefined) forgetStalls(file, runId);
  await core.store.commit([{ runId, epoch: await core.store.claim(runId), entries: [], status: "running" }]);
  await core.load(runId);
  core.timers.release(runId);
}
