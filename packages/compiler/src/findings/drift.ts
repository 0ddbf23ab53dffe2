import { diagnosticAt } from "../diagnostics/diagnostic.js";
import type { SourceModule } from "../graph/source-module.js";
import { functionId, moduleId, unversionedId } from "../ids/index.js";
import { compareIds, LOCK_FILE, type IdsLock } from "../ids-lock/index.js";
import { lineStarts } from "../parse/lines.js";
import { brokenAlias, vanishedId } from "../rules/index.js";
import type { Diagnostic } from "../types.js";

/** Present ids without versions, and where their functions are. */
export function presentIds(
  modules: readonly SourceModule[],
): Map<string, { module: SourceModule; directive: number }> {
  const found = new Map<string, { module: SourceModule; directive: number }>();
  for (const module of modules) {
    if (module.identity.kind === "eve") continue;
    for (const [directive, { kind, name }] of module.analysis.directives.entries()) {
      found.set(unversionedId(functionId(kind, moduleId(module.identity), name)), { module, directive });
    }
  }
  return found;
}

/**
 * Ids that left the lock file without an alias, and aliases that can't be right (EVE1104). A vanished id is
 * reported at the function that probably took its place, else in the lock file.
 */
export function driftFindings(
  modules: readonly SourceModule[],
  { lock, text }: { lock: IdsLock; text: string },
): { diagnostics: Diagnostic[]; added: string[] } {
  const present = presentIds(modules);
  const { vanished, added, brokenAliases } = compareIds(lock, present.keys());
  const lines = lineStarts(text);
  const inLock = (id: string): { start: number; end: number } => {
    const at = Math.max(text.indexOf(JSON.stringify(id)), 0);
    return { start: at, end: at + JSON.stringify(id).length };
  };
  const diagnostics = vanished.map(({ id, candidate }) => {
    const finding = vanishedId(id, candidate);
    const place = candidate === undefined ? undefined : present.get(candidate);
    const directive = place?.module.analysis.directives[place.directive];
    if (candidate === undefined || place === undefined || directive === undefined) {
      return diagnosticAt(LOCK_FILE, lines, inLock(id), finding);
    }
    const { line, column, name } = directive;
    const at = diagnosticAt(place.module.file, place.module.analysis.lines, directive, finding, [
      { message: `${candidate} is new here` },
    ]);
    return { ...at, line, column, endLine: line, endColumn: column + name.length };
  });
  for (const { from, to, why } of brokenAliases) {
    diagnostics.push(diagnosticAt(LOCK_FILE, lines, inLock(from), brokenAlias(from, to, why)));
  }
  return { diagnostics, added };
}
