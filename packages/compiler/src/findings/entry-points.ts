import { diagnosticAt } from "../diagnostics/diagnostic.js";
import type { EntryPoint } from "../graph/entry-points.js";
import type { SourceModule } from "../graph/source-module.js";
import { foreignCharacters, functionId, moduleId } from "../ids/index.js";
import {
  foreignCharactersInId,
  missingDirective,
  serveGenerator,
  workflowOutsideTool,
} from "../rules/index.js";
import type { Diagnostic } from "../types.js";

/**
 * Entry points that are imported: the function must be a workflow (EVE1001), `serve` no generator (EVE1006), and only a
 * workflow tool may have one (EVE1008). The rest is judged where the module is analysed.
 *
 * @param entryPoints the workflow that each tool's import leads to, by the tool's path
 * @param others findings that may be the reason why an import leads to no workflow
 */
export function importedEntryPoints(
  modules: readonly SourceModule[],
  entryPoints: ReadonlyMap<string, EntryPoint>,
  others: readonly Diagnostic[],
): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { path, file, analysis } of modules) {
    const reading = analysis.tool;
    if (reading?.imported === undefined) continue;
    const range = reading.entry ?? reading;
    const target = entryPoints.get(path);
    const name = reading.imported.member ?? reading.imported.local;
    if (reading.factory !== "defineWorkflowTool") {
      if (target === undefined) continue;
      found.push(diagnosticAt(file, analysis.lines, range, workflowOutsideTool(reading.factory)));
    } else if (target === undefined && reading.entryPoint !== undefined) {
      if (others.some((other) => explains(other, file))) continue;
      found.push(diagnosticAt(file, analysis.lines, range, missingDirective(reading.entryPoint, name)));
    } else if (target !== undefined && reading.entryPoint === "serve") {
      const { directives } = target.module.analysis;
      const generator = directives.some((fn) => fn.generator && idOf(target.module, fn.name) === target.id);
      if (generator) found.push(diagnosticAt(file, analysis.lines, range, serveGenerator(name)));
    }
  }
  return found;
}

/** The import can't be resolved, or the directive behind it may be one that is misread. */
function explains(other: Diagnostic, tool: string): boolean {
  return other.file === tool ? other.code === "EVE1201" : /^EVE100(?:0|[2-6])$/.test(other.code);
}

function idOf(module: SourceModule, name: string): string {
  return functionId("workflow", moduleId(module.identity), name);
}

/** Workflow ids with characters that `@workflow/core` refuses (EVE1105), at the function that has it. */
export function foreignIds(modules: readonly SourceModule[]): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const module of modules) {
    const { file, analysis } = module;
    for (const fn of analysis.directives) {
      if (fn.kind !== "workflow") continue;
      const id = idOf(module, fn.name);
      const foreign = foreignCharacters(id);
      if (foreign.length === 0) continue;
      const start = (analysis.lines[fn.line - 1] ?? 0) + fn.column - 1;
      const range = { start, end: start + fn.name.length };
      found.push(diagnosticAt(file, analysis.lines, range, foreignCharactersInId(id, foreign)));
    }
  }
  return found;
}
