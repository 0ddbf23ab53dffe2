import { parseId } from "../ids/index.js";
import type { IdsLock } from "./lock-file.js";

/** How the ids of an app differ from its lock file. Lists are sorted. */
export interface IdDrift {
  /** Locked ids that no function has and no alias explains. */
  vanished: { id: string; candidate?: string }[];
  /** Ids that aren't locked yet. */
  added: string[];
  brokenAliases: { from: string; to: string; why: "no-target" | "still-there" }[];
}

/** Compares the present ids (without versions) with the locked ones. */
export function compareIds(lock: IdsLock, present: Iterable<string>): IdDrift {
  const now = new Set(present);
  const locked = [...lock.workflows, ...lock.steps];
  const known = new Set(locked);
  const added = [...now].filter((id) => !known.has(id)).sort();
  const free = added.filter((id) => !Object.values(lock.aliases).includes(id));
  const vanished: IdDrift["vanished"] = [];
  for (const id of [...known].sort()) {
    if (now.has(id) || id in lock.aliases) continue;
    const candidate = successor(id, free);
    vanished.push(candidate === undefined ? { id } : { id, candidate });
  }
  const brokenAliases: IdDrift["brokenAliases"] = [];
  for (const [from, to] of Object.entries(lock.aliases).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (now.has(from)) brokenAliases.push({ from, to, why: "still-there" });
    else if (!now.has(to)) brokenAliases.push({ from, to, why: "no-target" });
  }
  return { vanished, added, brokenAliases };
}

/** The new id that most likely took the place of a vanished one: same module, or same name in another. */
function successor(id: string, added: readonly string[]): string | undefined {
  const old = parseId(id);
  if (old === undefined) return undefined;
  const same = added
    .map((candidate) => ({ candidate, parts: parseId(candidate) }))
    .filter(({ parts }) => parts?.kind === old.kind);
  const inModule = same.filter(({ parts }) => parts?.module === old.module);
  const byName = same.filter(({ parts }) => parts?.name === old.name);
  return (inModule.length > 0 ? inModule : byName)[0]?.candidate;
}
