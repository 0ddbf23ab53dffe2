import { classId, functionId } from "../ids/ids.js";
import { sliceModule } from "../slicing/slice.js";
import type { DirectiveFunction, Mode, ModuleAnalysis, Range, SerialisableClass, Slice } from "../types.js";
import type { CallSites } from "./call-sites.js";
import { freshNames, globalNames, type FreshName, type GlobalName } from "./names.js";
import {
  entryStub,
  markStep,
  markWorkflow,
  registerClass,
  registerStep,
  registerWorkflow,
  renameFunction,
  stepProxy,
  workflowStub,
} from "./snippets.js";

/**
 * One change to a module, in terms that mean the same to text and to a syntax tree. Ranges are those of whole nodes.
 */
export type Edit =
  /** Drops a top-level statement. */
  | ({ kind: "drop"; unit: number } & Range)
  /** Keeps only some specifiers of an import or export statement; `keep` holds their positions. */
  | ({ kind: "specifiers"; unit: number; keep: number[]; specifiers: Range[] } & Range)
  /** Removes a directive statement. */
  | ({ kind: "undirect" } & Range)
  /** Puts another function declaration in the place of one. */
  | ({ kind: "function"; text: string } & Range)
  /** Puts another property in the place of one. */
  | ({ kind: "property"; text: string } & Range)
  /** Names an anonymous function or class declaration, whose range this is. */
  | ({ kind: "name"; at: number; name: string } & Range)
  /** Adds statements behind a top-level statement, whose range this is. */
  | ({ kind: "after"; text: string } & Range)
  /**
   * Takes a property out of the statement `host` and makes a constant `name` of its value, in front of the statement,
   * with `text` behind it. `stub` stays in its place when the host stays.
   */
  | ({
      kind: "lift";
      host: Range;
      hostStays: boolean;
      name: string;
      key: string;
      stub: string;
      text: string;
    } & Range);

export interface PlanOptions {
  mode: Mode;
  /** `<module>` part of the ids; see `moduleId`. */
  moduleId: string;
  /** What workflow mode keeps; all workflows and all exports but the tool by default. */
  slice?: Slice;
  /** Workflow mode: calls of steps tell where they stand, for a runtime that reads it. */
  callSites?: CallSites;
}

interface Context {
  analysis: ModuleAnalysis;
  fresh: FreshName;
  global: GlobalName;
  moduleId: string;
  /** Steps hand on the place of their call. */
  placed: boolean;
  id(fn: DirectiveFunction): string;
  edits: Edit[];
}

/** Plans the changes that turn a module into its text for one mode, in source order. */
export function planEdits(analysis: ModuleAnalysis, options: PlanOptions): Edit[] {
  const context: Context = {
    analysis,
    fresh: freshNames(analysis),
    global: globalNames(analysis),
    moduleId: options.moduleId,
    placed: options.callSites !== undefined,
    id: (fn) => functionId(fn.kind, options.moduleId, fn.name),
    edits: [],
  };
  if (options.mode === "step") planStepMode(context);
  else planWorkflowMode(context, sliceOf(analysis, options));
  return context.edits;
}

/** What workflow mode keeps of a module. */
export function sliceOf(analysis: ModuleAnalysis, { slice }: Pick<PlanOptions, "slice">): Slice {
  return slice ?? sliceModule(analysis, { workflows: "all", exports: "all" });
}

function planStepMode(context: Context): void {
  const { analysis, edits, global, id } = context;
  for (const fn of analysis.directives) {
    if (isEntryPoint(fn)) {
      edits.push({
        kind: "property",
        ...rangeOf(fn),
        text: entryStub(fn.name, id(fn), fn.generator, global),
      });
      continue;
    }
    const name = fn.local ?? context.fresh(`${fn.kind}$${fn.name}`);
    const after = [fn.kind === "step" ? registerStep(name, id(fn), global) : markWorkflow(name, id(fn))];
    if (fn.local === undefined) after.unshift(renameFunction(name, fn.name, global));
    if (fn.kind === "workflow") {
      edits.push({
        kind: "function",
        ...rangeOf(fn),
        text: workflowStub(name, fn.name, fn.generator, global),
      });
    } else {
      if (fn.nameAt !== undefined) edits.push({ kind: "name", ...rangeOf(fn), at: fn.nameAt, name });
      edits.push(...undirect(fn));
    }
    edits.push({ kind: "after", ...statementOf(fn, analysis), text: after.join(" ") });
  }
  for (const item of analysis.classes) planClass(context, item);
}

/** Registers a class behind the statement that declares it. */
function planClass({ analysis, edits, fresh, global, moduleId }: Context, item: SerialisableClass): void {
  const name = item.local ?? fresh("class$default");
  const after = [registerClass(name, classId(moduleId, item.name), global)];
  if (item.nameAt !== undefined) {
    edits.push({ kind: "name", ...rangeOf(item), at: item.nameAt, name });
    after.unshift(renameFunction(name, item.name, global));
  }
  edits.push({ kind: "after", ...rangeOf(analysis.units[item.unit] ?? item), text: after.join(" ") });
}

function planWorkflowMode(context: Context, slice: Slice): void {
  const { analysis, edits } = context;
  const kept = new Set(slice.units);
  const exported = new Set(slice.exports);
  const bindings = new Set(slice.bindings);
  const lifted = new Set<number>();

  for (const fn of analysis.directives) {
    if (!isEntryPoint(fn) || !kept.has(fn.unit)) continue;
    const host = analysis.units[analysis.units[fn.unit]?.host ?? -1];
    if (host) lifted.add(host.index);
  }
  for (const unit of analysis.units) {
    if (unit.shape === "entry-point") continue;
    if (!kept.has(unit.index)) {
      if (!lifted.has(unit.index)) edits.push({ kind: "drop", unit: unit.index, ...rangeOf(unit) });
      continue;
    }
    narrow(context, unit.index, bindings, exported);
    for (const index of unit.directives) {
      const fn = analysis.directives[index];
      if (fn && !isEntryPoint(fn)) planDeclaration(context, fn);
    }
  }
  for (const item of analysis.classes) if (kept.has(item.unit)) planClass(context, item);
  const emptied = new Set<number>();
  for (const fn of analysis.directives) {
    if (isEntryPoint(fn) && kept.has(fn.unit)) planEntryPoint(context, fn, kept, emptied);
  }
}

/** Leaves the specifiers of an import or export statement that the slice needs. */
function narrow(context: Context, unit: number, bindings: Set<string>, exported: Set<number>): void {
  const { analysis, edits } = context;
  const statement = analysis.units[unit];
  if (statement === undefined) return;
  let specifiers: Range[] = [];
  let keep: number[] = [];
  if (statement.shape === "import") {
    const link = analysis.imports.find((candidate) => candidate.unit === unit && candidate.kind === "import");
    specifiers = link?.names.map(rangeOf) ?? [];
    keep = positions(link?.names ?? [], (name) => !name.typeOnly && bindings.has(name.local));
  } else if (statement.shape === "export-list" || statement.shape === "export-from") {
    const list = analysis.exports.flatMap((item, index) => (item.unit === unit ? [{ item, index }] : []));
    specifiers = list.map(({ item }) => rangeOf(item));
    keep = positions(list, ({ item, index }) => !item.typeOnly && exported.has(index));
  }
  if (keep.length === specifiers.length) return;
  edits.push({ kind: "specifiers", unit, keep, specifiers, ...rangeOf(statement) });
}

function positions<T>(list: readonly T[], test: (item: T) => boolean): number[] {
  return list.flatMap((item, index) => (test(item) ? [index] : []));
}

/** A step or workflow that is a declaration, in workflow mode. */
function planDeclaration(context: Context, fn: DirectiveFunction): void {
  const { analysis, edits, global, id, placed } = context;
  const name = fn.local ?? context.fresh(`${fn.kind}$${fn.name}`);
  const after: string[] = fn.local === undefined ? [renameFunction(name, fn.name, global)] : [];
  if (fn.kind === "step") {
    edits.push({ kind: "function", ...rangeOf(fn), text: stepProxy(name, id(fn), global, placed) });
    after.push(markStep(name, id(fn)));
  } else {
    if (fn.nameAt !== undefined) edits.push({ kind: "name", ...rangeOf(fn), at: fn.nameAt, name });
    edits.push(...undirect(fn));
    after.push(registerWorkflow(name, id(fn), global));
  }
  edits.push({ kind: "after", ...statementOf(fn, analysis), text: after.join(" ") });
}

function planEntryPoint(
  context: Context,
  fn: DirectiveFunction,
  kept: ReadonlySet<number>,
  emptied: Set<number>,
): void {
  const { analysis, edits, fresh, global, id } = context;
  const host = analysis.units[analysis.units[fn.unit]?.host ?? -1];
  // A second entry point is a finding; the statement can be replaced by only one.
  if (host === undefined || emptied.has(host.index)) return;
  if (!kept.has(host.index)) emptied.add(host.index);
  const name = fresh(`workflow$${fn.name}`);
  edits.push(...undirect(fn));
  edits.push({
    kind: "lift",
    ...rangeOf(fn),
    host: rangeOf(host),
    hostStays: kept.has(host.index),
    name,
    key: fn.name,
    stub: `${fn.name}: ${name}`,
    text: registerWorkflow(name, id(fn), global),
  });
}

/** A string that is only meant as a directive may be part of another statement, and stays. */
function undirect(fn: DirectiveFunction): Edit[] {
  return fn.assumed === true ? [] : [{ kind: "undirect", start: fn.directiveStart, end: fn.directiveEnd }];
}

function isEntryPoint(fn: DirectiveFunction): boolean {
  return fn.form !== "declaration";
}

/** The top-level statement that holds a function declaration. */
function statementOf(fn: DirectiveFunction, analysis: ModuleAnalysis): Range {
  return rangeOf(analysis.units[fn.unit] ?? fn);
}

function rangeOf({ start, end }: Range): Range {
  return { start, end };
}
