import { positionAt } from "../parse/lines.js";
import type { DiagnosticNote, KeepReason, Unit } from "../types.js";
import type { NearStep } from "../rules/index.js";
import { isStepUnit } from "../slicing/index-of.js";
import type { SourceModule } from "./source-module.js";
import type { GraphModule, WorkflowGraph } from "./workflow-graph.js";

/** How a body comes to a place: from the place outwards. */
export interface Chain {
  /** One note for each hop, from the workflow's body to the place. */
  notes: DiagnosticNote[];
  /** Modules on the way, from the one that holds the place to the one with the body. */
  modules: GraphModule[];
  /** What the body itself uses first on the way, and the file of the application that declares it; the best place to cut. */
  cut?: { name: string; file?: string };
  /** The function nearest to the place that may be meant as a step: `async`, at the top level, without a directive. */
  step?: NearStep;
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

interface Position {
  module: GraphModule;
  unit: number;
  /** For an import or re-export: which of its names leads on. */
  imported?: { index: number; name: string };
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
  let at: Position | undefined = { module: start, unit };
  let declaring: { name: string | undefined; file: string } | undefined;
  while (at !== undefined) {
    const key = `${at.module.module.path}\0${at.unit}`;
    if (visited.has(key)) break;
    visited.add(key);
    const reason = reasonAt(at);
    if (reason === undefined) break;
    declaring = declarationAt(at) ?? declaring;
    const step = stepAt(at);
    if (step !== undefined) chain.step ??= step;
    if (reason.by === "use") {
      chain.cut = { name: declaring?.name ?? reason.name, ...(declaring && { file: declaring.file }) };
    }
    at = hop(chain, at.module, reason, importers, visited);
  }
  chain.notes.reverse();
  return chain;
}

/** What a unit declares, unless it only passes on what other modules do. */
function declarationAt({
  module: { module },
  unit,
}: Position): { name: string | undefined; file: string } | undefined {
  const found = module.analysis.units[unit];
  if (found === undefined || /^(?:import|export-list|export-from)$/.test(found.shape)) return undefined;
  const [name, ...others] = found.declares;
  return { name: others.length === 0 ? name : undefined, file: module.file };
}

/** A function that would be a step with the directive. One that calls steps itself isn't meant as one. */
function stepAt({ module: { module }, unit }: Position): NearStep | undefined {
  const { functions, units, directives, imports } = module.analysis;
  const found = units[unit];
  if (found === undefined || found.directives.length > 0 || isForeign(module)) return undefined;
  const fn = functions.find(({ start, end }) => found.start <= start && end <= found.end);
  if (fn === undefined || !fn.async || fn.generator || !isDeclaredBy(found, fn.name)) return undefined;
  const ofWorkflows = new Set([
    ...directives.map(({ local }) => local),
    ...imports
      .filter(({ specifier }) => specifier === "workflow")
      .flatMap(({ names }) => names.map(({ local }) => local)),
  ]);
  if (found.uses.some(({ name }) => ofWorkflows.has(name))) return undefined;
  return { name: fn.name, file: module.file, declaration: fn.declaration };
}

/** An anonymous default export goes by the name `default`. */
function isDeclaredBy({ declares, shape }: Unit, name: string): boolean {
  return declares.includes(name) || (shape === "function" && declares.length === 0 && name === "default");
}

/** Whether a module is of an installed package, which the author doesn't change. */
function isForeign({ path }: SourceModule): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

/** Why a unit is kept; for one with several names, why the one that leads on is. */
function reasonAt({ module, unit, imported }: Position): KeepReason | undefined {
  const { slice } = module;
  const { imports, exports, units } = module.module.analysis;
  const reason = slice.reasons[slice.units.indexOf(unit)];
  const declaration = imported && imports[imported.index];
  if (imported === undefined || declaration === undefined) return reason;
  const { index, name } = imported;
  switch (declaration.kind) {
    case "export-all":
      return { by: "export", exported: name };
    case "reexport": {
      const found = exports.find(
        (item, at) =>
          item.from?.import === index && item.from.imported === name && slice.exports.includes(at),
      );
      return found === undefined ? reason : { by: "export", exported: found.exported };
    }
    case "import": {
      const locals = declaration.names.filter((item) => item.imported === name).map(({ local }) => local);
      if (locals.length === 0 || (reason?.by === "use" && locals.includes(reason.name))) return reason;
      for (const user of slice.units) {
        const holder = units[user];
        if (holder === undefined || user === unit || isStepUnit(module.module.analysis, holder)) continue;
        const use = holder.uses.find((item) => locals.includes(item.name));
        if (use !== undefined)
          return { by: "use", unit: user, name: use.name, start: use.start, end: use.end };
      }
      return reason;
    }
    default:
      return reason;
  }
}

function hop(
  chain: Chain,
  from: GraphModule,
  reason: KeepReason,
  importers: Importers,
  visited: ReadonlySet<string>,
): Position | undefined {
  const { module } = from;
  switch (reason.by) {
    case "use": {
      chain.notes.push(noteAt(from, reason, `via ${reason.name}`));
      return { module: from, unit: reason.unit };
    }
    case "export": {
      for (const { importer, index } of importers.of(module.path, reason.exported)) {
        const unit = importer.module.analysis.imports[index]?.unit;
        if (unit === undefined || visited.has(`${importer.module.path}\0${unit}`)) continue;
        chain.modules.push(importer);
        return { module: importer, unit, imported: { index, name: reason.exported } };
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
