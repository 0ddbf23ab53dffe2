import type { ModuleAnalysis, Unit } from "../types.js";

/** Look-ups that slicing needs again and again. */
export interface ModuleIndex {
  /** Units that declare a name; several for merged declarations. */
  declaredBy: Map<string, Unit[]>;
  /** The import that binds a local name. */
  importOf: Map<string, { index: number; imported: string }>;
  /** Local names of step functions. */
  steps: Set<string>;
  /** Local names of step and workflow functions. */
  functions: Set<string>;
}

export function indexOf(analysis: ModuleAnalysis): ModuleIndex {
  const index: ModuleIndex = {
    declaredBy: new Map(),
    importOf: new Map(),
    steps: new Set(),
    functions: new Set(),
  };
  for (const unit of analysis.units) {
    if (unit.typeOnly || unit.shape === "import") continue;
    for (const name of unit.declares) {
      const units = index.declaredBy.get(name);
      if (units) units.push(unit);
      else index.declaredBy.set(name, [unit]);
    }
  }
  analysis.imports.forEach((link, position) => {
    if (link.kind !== "import" && link.kind !== "require") return;
    for (const name of link.names) {
      if (!name.typeOnly) index.importOf.set(name.local, { index: position, imported: name.imported });
    }
  });
  for (const fn of analysis.directives) {
    if (fn.local === undefined) continue;
    index.functions.add(fn.local);
    if (fn.kind === "step") index.steps.add(fn.local);
  }
  return index;
}

/** Whether a unit is the declaration of a step, whose body never reaches the workflow side. */
export function isStepUnit(analysis: ModuleAnalysis, unit: Unit): boolean {
  return unit.directives.some((directive) => analysis.directives[directive]?.kind === "step");
}
