import { removedEntryPoint, removedExperimentalWorkflow } from "../rules/index.js";
import type { ModuleImport } from "../types.js";
import type { Located } from "./definition.js";

const REMOVED_MODULES = new Set(["eve/workflow"]);

/** Names that modules of eve exported once. */
const REMOVED_NAMES: Record<string, readonly string[]> = {
  "eve/tools/workflow": ["experimental_workflow", "Workflow"],
  "eve/tools": ["experimental_workflow", "Workflow"],
  eve: ["experimental_workflow"],
};

/** Imports and re-exports of what no longer exists. */
export function removedImports(imports: readonly ModuleImport[]): Located[] {
  const found: Located[] = [];
  for (const link of imports) {
    if (REMOVED_MODULES.has(link.specifier)) {
      found.push({
        range: { start: link.specifierStart, end: link.specifierEnd },
        finding: removedEntryPoint(link.specifier),
      });
    }
    const removed = REMOVED_NAMES[link.specifier] ?? [];
    for (const name of link.names) {
      if (removed.includes(name.imported)) {
        found.push({ range: name, finding: removedExperimentalWorkflow(name.imported) });
      }
    }
  }
  return found;
}
