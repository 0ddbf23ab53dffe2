import { analyseModule } from "../analysis/index.js";
import type { ModuleAnalysis, ModuleRole } from "../types.js";

/** The analysis of a text, as that of a module unless something else is said. */
export function analyse(text: string, file = "lib/a.ts", role: ModuleRole = "module"): ModuleAnalysis {
  return analyseModule(text, { file, role });
}
