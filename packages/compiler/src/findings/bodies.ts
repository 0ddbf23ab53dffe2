import { judgeSlice } from "../determinism/index.js";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { chainTo, Importers, workflowNote } from "../graph/chain.js";
import { importedStep } from "../graph/imported-step.js";
import type { WorkflowGraph } from "../graph/workflow-graph.js";
import type { PackageScan } from "../resolve/package-scan.js";
import { makeStep } from "../rules/index.js";
import type { Diagnostic } from "../types.js";
import type { Survives } from "./survivors.js";

/** Rules about code that runs in bodies; the others judge what stands beside it. */
const RUNS = new Set(["EVE2002", "EVE2003", "EVE2004", "EVE2005"]);

/**
 * What bodies of the application do that replay can't repeat (EVE1203, EVE2002 to 2008), with the way from the
 * body to each place. `survives` is asked about modules that are kept whole; it takes canonical names.
 */
export function bodyFindings(
  graph: WorkflowGraph,
  scan: PackageScan,
  nameOf: (file: string) => string,
  survives: () => Survives,
): Diagnostic[] {
  const importers = new Importers(graph);
  const found: Diagnostic[] = [];
  for (const graphModule of graph.modules.values()) {
    const { module, slice, needed } = graphModule;
    if (scan.isInstalled(module.path) || module.identity.kind === "eve") continue;
    const judged = judgeSlice(module.analysis, slice, {
      importedStep: (local, member) => importedStep(graph, graphModule, local, member),
    });
    for (const { unit, range, finding } of judged) {
      const chain = chainTo(graphModule, unit, importers);
      const notes = [...workflowNote(chain, module.file), ...chain.notes];
      const { lines } = module.analysis;
      const mended = finding.fitsStep && chain.step ? { ...finding, help: makeStep(chain.step) } : finding;
      const diagnostic = diagnosticAt(module.file, lines, range, mended, notes);
      const isWhole = needed === "all" && RUNS.has(diagnostic.code);
      if (!isWhole || survives()(nameOf(module.path), diagnostic)) found.push(diagnostic);
    }
  }
  return found;
}
