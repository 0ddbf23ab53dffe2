import type { ModuleAnalysis } from "../types.js";

/** Whether a module gives a function of its own another value (`plan = other`; not `plan.maxRetries = 0`). */
export function isReassigned({ units }: Pick<ModuleAnalysis, "units">, name: string): boolean {
  const isAssigned = (use: ModuleAnalysis["units"][number]["uses"][number]): boolean =>
    use.name === name && use.writes === "assign" && use.path.length === 0;
  return units.some(({ uses }) => uses.some(isAssigned));
}
