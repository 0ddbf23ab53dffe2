import type { BindingUse, ModuleAnalysis, Unit } from "../types.js";
import { isStepUnit, type ModuleIndex } from "./index-of.js";

/**
 * The use by which evaluating a unit may change what a kept binding holds, if there is one.
 *
 * A statement counts with any method call on a kept binding, a declaration only with assignments and known mutators:
 * `app.get("/", …)` configures `app`, `const n = names.map(…)` takes from `names`. Calls of the module's own functions
 * are looked into.
 */
export function writeThrough(
  unit: Unit,
  analysis: ModuleAnalysis,
  index: ModuleIndex,
  kept: (name: string) => boolean,
): BindingUse | undefined {
  const statement = unit.shape === "expression" || unit.shape === "block";
  if (!statement && unit.shape !== "variable" && unit.shape !== "class") return undefined;
  for (const use of unit.uses) {
    if (use.deferred) continue;
    if (changes(use, statement) && kept(use.name) && !index.steps.has(use.name)) return use;
    if (use.called && functionWrites(use.name, analysis, index, kept, new Set())) return use;
  }
  return undefined;
}

function changes(use: BindingUse, statement: boolean): boolean {
  return use.writes === "assign" || use.writes === "mutate" || (statement && use.writes === "call");
}

/** Whether a function of the module writes to a kept binding when it is called. */
function functionWrites(
  name: string,
  analysis: ModuleAnalysis,
  index: ModuleIndex,
  kept: (name: string) => boolean,
  seen: Set<string>,
): boolean {
  if (seen.has(name) || index.functions.has(name)) return false;
  seen.add(name);
  return (index.declaredBy.get(name) ?? []).some((unit) => {
    const isFunction = unit.shape === "function" || (unit.shape === "variable" && !unit.effects);
    if (!isFunction || isStepUnit(analysis, unit)) return false;
    return unit.uses.some(
      (use) =>
        (changes(use, false) && kept(use.name) && !index.steps.has(use.name)) ||
        (use.called && functionWrites(use.name, analysis, index, kept, seen)),
    );
  });
}
