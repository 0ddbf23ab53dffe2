import { positionAt } from "../parse/lines.js";
import type { DiagnosticNote, KeepReason } from "../types.js";
import type { GraphModule, WorkflowGraph } from "./workflow-graph.js";

/** How a body comes to a place: from the place outwards. */
export interface Chain {
  /** One note for each hop, from the workflow's body to the place. */
  notes: DiagnosticNote[];
  /** Modules on the way, from the one that holds the place to the one with the body. */
  modules: GraphModule[];
  /** Name and file of what the body itself uses first on the way; the best place to cut. */
  cut?: { name: string; file: string };
  /** The workflow at the end of the chain. */
  workflow?: { name: string; file: string };
}

/** Which modules need an export of which module, for walks against the direction of imports. */
export class Importers {
  readonly #edges = new Map<string, { importer: GraphModule; index: number; names: readonly string[] }[]>();

  constructor(graph: WorkflowGraph) {
    for (const importer of [...graph.modules.values()].sort(byFile)) {
      for (const { index, names, target } of importer.edges.values()) {
        if (target.kind !== "file") continue;
        const list = this.#edges.get(target.path) ?? [];
        list.push({ importer, index, names });
        this.#edges.set(target.path, list);
      }
    }
  }

  /** The imports through which an export of a module is needed, in a stable order. */
  of(path: string, exported: string): { importer: GraphModule; index: number }[] {
    const edges = this.#edges.get(path) ?? [];
    // CommonJS modules export as a whole: whoever needs anything of them needs all.
    return exported === "*"
      ? edges
      : edges.filter(({ names }) => names.includes(exported) || names.includes("*"));
  }
}

const byFile = (a: GraphModule, b: GraphModule): number =>
  a.module.file < b.module.file ? -1 : a.module.file > b.module.file ? 1 : 0;

/**
 * Walks from a unit of a slice outwards to the workflow that keeps it: through the uses in its module, then
 * through the imports that need its module's exports. `undefined` when no workflow leads there (a plugin's entry
 * keeps everything it exports).
 */
export function chainTo(start: GraphModule, unit: number, importers: Importers): Chain {
  const chain: Chain = { notes: [], modules: [start] };
  const visited = new Set<string>();
  let at: { module: GraphModule; unit: number } | undefined = { module: start, unit };
  while (at !== undefined) {
    const key = `${at.module.module.path}\0${at.unit}`;
    if (visited.has(key)) break;
    visited.add(key);
    const reason = reasonOf(at.module, at.unit);
    if (reason === undefined) break;
    at = hop(chain, at.module, reason, importers, visited);
  }
  chain.notes.reverse();
  return chain;
}

function reasonOf({ slice }: GraphModule, unit: number): KeepReason | undefined {
  const index = slice.units.indexOf(unit);
  return index === -1 ? undefined : slice.reasons[index];
}

function hop(
  chain: Chain,
  from: GraphModule,
  reason: KeepReason,
  importers: Importers,
  visited: ReadonlySet<string>,
): { module: GraphModule; unit: number } | undefined {
  const { module } = from;
  switch (reason.by) {
    case "use": {
      chain.notes.push(noteAt(from, reason, `via ${reason.name}`));
      chain.cut = { name: reason.name, file: module.file };
      return { module: from, unit: reason.unit };
    }
    case "export": {
      for (const { importer, index } of importers.of(module.path, reason.exported)) {
        const unit = importer.module.analysis.imports[index]?.unit;
        if (unit === undefined || visited.has(`${importer.module.path}\0${unit}`)) continue;
        chain.modules.push(importer);
        return { module: importer, unit };
      }
      return undefined;
    }
    case "workflow": {
      const workflow = module.analysis.directives[reason.directive];
      if (workflow !== undefined) chain.workflow = { name: workflow.name, file: module.file };
      return undefined;
    }
    case "class": {
      const message = `via the class ${reason.name}, which can be written to the log, so that bodies may receive it`;
      const found = module.analysis.classes.find(({ name }) => name === reason.name);
      chain.notes.push(noteAt(from, found ?? { start: 0 }, message));
      return undefined;
    }
    case "write": {
      chain.notes.push(noteAt(from, reason, `via ${reason.name}, which this statement changes`));
      return undefined;
    }
  }
}

function noteAt({ module }: GraphModule, range: { start: number }, message: string): DiagnosticNote {
  const { line, column } = positionAt(module.analysis.lines, range.start);
  return { message, file: module.file, line, column };
}

/** Names the workflow that a chain starts from, when it is in another file than the place or hops lie between. */
export function workflowNote({ workflow, notes }: Chain, file: string): DiagnosticNote[] {
  if (workflow === undefined || (notes.length === 0 && workflow.file === file)) return [];
  return [{ message: `from the workflow ${workflow.name} in ${workflow.file}` }];
}
