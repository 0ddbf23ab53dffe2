import { functionId, moduleId } from "../ids/index.js";
import type { GraphModule, WorkflowGraph } from "../graph/workflow-graph.js";

/** What a body uses: ids of steps, and paths of modules. */
export interface Reach {
  steps: Set<string>;
  modules: Set<string>;
}

/** Follows bindings from a workflow's function through all modules of the graph, unit by unit. */
export function reachOf(graph: WorkflowGraph, start: GraphModule, directive: number): Reach {
  const walk = new Walk(graph);
  const unit = start.module.analysis.directives[directive]?.unit;
  if (unit !== undefined) walk.unit(start, unit);
  return { steps: walk.steps, modules: walk.modules };
}

class Walk {
  readonly steps = new Set<string>();
  readonly modules = new Set<string>();
  readonly #graph: WorkflowGraph;
  readonly #seen = new Set<string>();

  constructor(graph: WorkflowGraph) {
    this.#graph = graph;
  }

  unit(at: GraphModule, index: number): void {
    const { path, analysis, identity } = at.module;
    const key = `${path}\0${index}`;
    const unit = analysis.units[index];
    if (this.#seen.has(key) || unit === undefined || !at.slice.units.includes(index)) return;
    this.#seen.add(key);
    this.modules.add(path);
    for (const directive of unit.directives) {
      const fn = analysis.directives[directive];
      if (fn?.kind !== "step") continue;
      this.steps.add(functionId("step", moduleId(identity), fn.name));
      return; // what the step itself uses is on the other side
    }
    for (const { name, path: members } of unit.uses) this.#binding(at, name, members);
  }

  #binding(at: GraphModule, name: string, members: readonly string[]): void {
    const { units, imports } = at.module.analysis;
    for (const unit of units)
      if (unit.shape !== "import" && unit.declares.includes(name)) this.unit(at, unit.index);
    for (const [index, declaration] of imports.entries()) {
      if (declaration.kind !== "import") continue;
      const found = declaration.names.find((item) => item.local === name && !item.typeOnly);
      if (found === undefined) continue;
      const wanted = found.imported === "*" ? members[0] : found.imported;
      this.#export(this.#target(at, index), wanted);
    }
  }

  /** An export of a module; without a name, all of them. */
  #export(at: GraphModule | undefined, exported: string | undefined): void {
    if (at === undefined) return;
    const key = `${at.module.path}\0export\0${exported ?? "*"}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { exports, imports } = at.module.analysis;
    const found = exports.filter((item) => exported === undefined || item.exported === exported);
    for (const { from, local, unit } of found) {
      if (from !== undefined) {
        this.#export(this.#target(at, from.import), from.imported === "*" ? undefined : from.imported);
      } else if (local === undefined) this.unit(at, unit);
      else this.#binding(at, local, []);
    }
    if (found.length > 0 && exported !== undefined) return;
    for (const [index, declaration] of imports.entries()) {
      if (declaration.kind === "export-all") this.#export(this.#target(at, index), exported);
    }
  }

  #target(at: GraphModule, index: number): GraphModule | undefined {
    const target = at.edges.get(index)?.target;
    return target?.kind === "file" ? this.#graph.modules.get(target.path) : undefined;
  }
}
