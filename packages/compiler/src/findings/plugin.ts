import type { BuildResult } from "../bundle/esbuild.js";
import { applySuppressions } from "../diagnostics/suppressions.js";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import type { HiddenImport } from "../plugins/hidden-packages.js";
import type { ModuleStore } from "../graph/module-store.js";
import type { WorkflowGraph } from "../graph/workflow-graph.js";
import type { PackageScan } from "../resolve/package-scan.js";
import type { Diagnostic } from "../types.js";
import { bodyFindings } from "./bodies.js";
import {
  awaitsAtLoad,
  externalsWithDirectives,
  hiddenPackage,
  missingExports,
  unresolvedImports,
} from "./imports.js";
import { moduleFindings } from "./modules.js";
import { stubFindings } from "./stubs.js";
import { lostImports } from "./unresolved.js";

export interface WorkflowRunFacts {
  graph: WorkflowGraph;
  store: ModuleStore;
  scan: PackageScan;
  external: ReadonlySet<string>;
  nameOf: (file: string) => string;
  workingDir: string;
  result: BuildResult;
}

/** Findings of one run of the plugin in workflow mode. */
export async function findingsOfWorkflows(facts: WorkflowRunFacts): Promise<Diagnostic[]> {
  const { graph, store, scan, external, nameOf, workingDir, result } = facts;
  const modules = store.analysed();
  return applySuppressions(
    [
      ...moduleFindings(modules),
      ...lostImports(await unresolvedImports(graph, store.root)),
      ...externalsWithDirectives(graph, external, scan),
      ...missingExports(graph),
      ...awaitsAtLoad(graph),
      ...bodyFindings(graph, scan, nameOf, () => () => true),
      ...(result.metafile === undefined
        ? []
        : stubFindings({ graph, metafile: result.metafile, workingDir, nameOf })),
    ],
    modules.map(({ analysis }) => analysis),
  );
}

/** Findings of one run of the plugin in step mode. Suppressions are judged in workflow mode, where bodies are. */
export function findingsOfSteps(store: ModuleStore, hidden: readonly HiddenImport[]): Diagnostic[] {
  const packages = hidden.map(({ specifier, importer, file }) => {
    const { analysis, file: shown } = store.module(importer);
    const found = analysis.imports.find((item) => item.specifier === specifier);
    const range = { start: found?.specifierStart ?? 0, end: found?.specifierEnd ?? 0 };
    return diagnosticAt(shown, analysis.lines, range, hiddenPackage(file));
  });
  return [...moduleFindings(store.analysed()), ...packages];
}
