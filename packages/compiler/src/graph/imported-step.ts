import { isReassigned } from "../analysis/reassigned.js";
import type { GraphModule, WorkflowGraph } from "./workflow-graph.js";

/**
 * The name of the step that an imported binding of a module is (with `member`: a member of a namespace import),
 * through any number of re-exports. `undefined` when it is something else.
 */
export function importedStep(
  graph: WorkflowGraph,
  from: GraphModule,
  local: string,
  member?: string,
): string | undefined {
  return ofLocal(graph, from, local, member, new Set());
}

function ofLocal(
  graph: WorkflowGraph,
  { module, edges }: GraphModule,
  local: string,
  member: string | undefined,
  seen: Set<string>,
): string | undefined {
  for (const [index, declaration] of module.analysis.imports.entries()) {
    if (declaration.kind !== "import" || declaration.typeOnly) continue;
    const name = declaration.names.find((item) => item.local === local && !item.typeOnly);
    if (name === undefined) continue;
    const wanted = name.imported === "*" ? member : member === undefined ? name.imported : undefined;
    return wanted === undefined ? undefined : ofExport(graph, targetOf(graph, edges, index), wanted, seen);
  }
  return undefined;
}

function ofExport(
  graph: WorkflowGraph,
  target: GraphModule | undefined,
  exported: string,
  seen: Set<string>,
): string | undefined {
  if (target === undefined) return undefined;
  const { module, edges } = target;
  const key = `${module.path}\0${exported}`;
  if (seen.has(key)) return undefined;
  seen.add(key);
  const { analysis } = module;
  const found = analysis.exports.find((item) => item.exported === exported && !item.typeOnly);
  if (found?.from !== undefined) {
    return ofExport(graph, targetOf(graph, edges, found.from.import), found.from.imported, seen);
  }
  if (found !== undefined) {
    const isIt = (fn: { local?: string; unit: number }): boolean =>
      found.local === undefined ? fn.unit === found.unit : fn.local === found.local;
    const own = analysis.directives.find(isIt);
    if (own !== undefined) {
      const isStep = own.kind === "step" && !(own.local !== undefined && isReassigned(analysis, own.local));
      return isStep ? own.name : undefined;
    }
    return found.local === undefined ? undefined : ofLocal(graph, target, found.local, undefined, seen);
  }
  for (const [index, declaration] of analysis.imports.entries()) {
    if (declaration.kind !== "export-all" || declaration.typeOnly) continue;
    const behind = ofExport(graph, targetOf(graph, edges, index), exported, seen);
    if (behind !== undefined) return behind;
  }
  return undefined;
}

function targetOf(
  { modules }: WorkflowGraph,
  edges: GraphModule["edges"],
  index: number,
): GraphModule | undefined {
  const target = edges.get(index)?.target;
  return target?.kind === "file" ? modules.get(target.path) : undefined;
}
