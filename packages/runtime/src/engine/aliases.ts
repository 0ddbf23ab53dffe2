import type { Manifest } from "../builds/schema.js";
import type { LogEntry, LogEvent } from "../log/types.js";
import type { ChosenBuild } from "./load.js";

/** An id without the version of its package: an upgrade of the package is no other function. */
const unversioned = (id: string): string => {
  const [kind, module = "", ...name] = id.split("//");
  const bare = module.startsWith("./") ? module : module.replace(/(?<=.)@[^/@]*$/, "");
  return [kind, bare, ...name].join("//");
};

/**
 * What an id of a recorded run is called in a build: itself where the build has it, else what `aliases` (from
 * `eve.ids.json`) says took its place, else the same function in another version of its package.
 */
export function presentIds(
  manifest: Pick<Manifest, "workflows" | "steps" | "aliases">,
): (id: string) => string {
  const known = [...Object.keys(manifest.workflows), ...Object.keys(manifest.steps)];
  const byName = new Map(known.map((id) => [unversioned(id), id]));
  const aliases = manifest.aliases ?? {};
  return (id) => {
    if (known.includes(id)) return id;
    const name = unversioned(id);
    const renamed = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return byName.get(renamed ?? name) ?? id;
  };
}

/**
 * A run's log as the build that goes on with it would have written it: on another build than the one that
 * recorded it, renamed workflows and steps have their present ids.
 */
export function presentEntries(
  entries: readonly LogEntry[],
  { build, replaces }: ChosenBuild,
): readonly LogEntry[] {
  if (replaces === undefined) return entries;
  const present = presentIds(build.manifest);
  return entries.map((entry) => ({ ...entry, event: rename(entry.event, present) }));
}

function rename(event: LogEvent, present: (id: string) => string): LogEvent {
  if (event.type === "run-started") return { ...event, workflowId: present(event.workflowId) };
  if (!("key" in event) || !event.key.startsWith("step//")) return event;
  const at = event.key.lastIndexOf("#");
  const stepId = present(event.key.slice(0, at));
  const key = stepId + event.key.slice(at);
  return event.type === "step-created" ? { ...event, key, stepId } : { ...event, key };
}
