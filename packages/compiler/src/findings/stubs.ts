import path from "node:path";
import type { Metafile } from "../bundle/esbuild.js";
import { survivingStubs, type StubUse } from "../bundle/stub.js";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import { chainTo, type Chain, Importers, workflowNote } from "../graph/chain.js";
import type { Edge, GraphModule, WorkflowGraph } from "../graph/workflow-graph.js";
import { builtinInBody, runtimeApi } from "../rules/index.js";
import type { Diagnostic, DiagnosticNote } from "../types.js";

export interface StubContext {
  graph: WorkflowGraph;
  metafile: Metafile;
  /** Folder that names in the metafile are relative to. */
  workingDir: string;
  /** Canonical name of a file, for notes about package files. */
  nameOf: (file: string) => string;
}

/** Builtins (EVE2001) and `workflow/api` (EVE2004) that bodies still reach after tree shaking. */
export function stubFindings(context: StubContext): Diagnostic[] {
  const importers = new Importers(context.graph);
  const found: Diagnostic[] = [];
  for (const use of survivingStubs(context.metafile)) {
    if (use.kind === "unresolved") continue; // reported with the graph
    if (use.kind === "host-api" && context.graph.modules.has(use.importer)) continue; // reported at its uses
    const entry = entranceOf(use, context);
    if (entry === undefined) continue;
    found.push(findingAt(use, entry, importers));
  }
  return found;
}

/** The import in a module of the graph through which a stub is reached, and the package files in between. */
interface Entrance {
  module: GraphModule;
  edge: Edge;
  /** Outermost first. */
  inside: string[];
}

function findingAt(use: StubUse, { module, edge, inside }: Entrance, importers: Importers): Diagnostic {
  const { analysis, file } = module.module;
  const declaration = analysis.imports[edge.index];
  const range = declaration ?? { start: 0, end: 0 };
  const chain: Chain =
    declaration === undefined ? { notes: [], modules: [] } : chainTo(module, declaration.unit, importers);
  const builtin = use.specifier.startsWith("node:") ? use.specifier : `node:${use.specifier}`;
  const finding =
    use.kind === "builtin" ? builtinInBody(builtin, chain) : runtimeApi(edge.names[0] ?? "*", use.specifier);
  const hops: DiagnosticNote[] = inside.map((name) => ({ message: `via ${name}` }));
  const start = workflowNote(chain, file);
  return diagnosticAt(file, analysis.lines, range, finding, [...start, ...chain.notes, ...hops]);
}

function entranceOf(
  use: StubUse,
  { graph, metafile, workingDir, nameOf }: StubContext,
): Entrance | undefined {
  const direct = graph.modules.get(use.importer);
  if (direct !== undefined) {
    const edge = [...direct.edges.values()].find(
      ({ index }) => direct.module.analysis.imports[index]?.specifier === use.specifier,
    );
    return edge === undefined ? undefined : { module: direct, edge, inside: [] };
  }
  const importedBy = reverseImports(metafile, workingDir);
  const queue: { file: string; inside: string[] }[] = [
    { file: use.importer, inside: [nameOf(use.importer)] },
  ];
  const seen = new Set([use.importer]);
  for (const { file, inside } of queue) {
    for (const importer of importedBy.get(file) ?? []) {
      if (seen.has(importer)) continue;
      seen.add(importer);
      const module = graph.modules.get(importer);
      if (module === undefined) {
        queue.push({ file: importer, inside: [nameOf(importer), ...inside] });
        continue;
      }
      const edge = [...module.edges.values()].find(({ target }) => "path" in target && target.path === file);
      if (edge !== undefined) return { module, edge, inside };
    }
  }
  return undefined;
}

/** Absolute file → absolute importers that are in the output, sorted. */
function reverseImports(metafile: Metafile, workingDir: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [input, { imports }] of Object.entries(metafile.inputs).sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const { path: imported, external } of imports) {
      if (external) continue;
      const file = path.resolve(workingDir, imported);
      const list = found.get(file) ?? [];
      list.push(path.resolve(workingDir, input));
      found.set(file, list);
    }
  }
  return found;
}
