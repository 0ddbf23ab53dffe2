import {
  argumentNotSerialisable,
  bodyWritesState,
  dynamicImportInBody,
  floatingOperation,
  floatingStep,
  passedAtLoad,
  resultNotSerialisable,
  runtimeApi,
  stepWritesState,
  type Finding,
  type Operation,
  type Unserialisable,
} from "../rules/index.js";
import { indexOf, isStepUnit } from "../slicing/index-of.js";
import type { BindingUse, Floating, ModuleAnalysis, Range, Slice, Unit, ValueShape } from "../types.js";
import { judgeGlobal } from "./globals.js";

/** A finding about code that bodies reach, and the unit it stands in (for the chain that leads there). */
export interface BodyFinding {
  unit: number;
  range: Range;
  finding: Finding;
}

export interface JudgeSliceOptions {
  /**
   * The name of the step that an imported binding is (or a member of a namespace import), when it is one.
   */
  importedStep(local: string, member?: string): string | undefined;
}

/**
 * Judges the part of a module that workflow bodies reach: globals of the host, timers, clocks and randomness, calls of
 * `workflow/api`, steps that nobody awaits, shared state and values that can't be written to the log (EVE2002 to 2008,
 * EVE1203 for `import()`). Findings are in source order.
 *
 * Meant for modules of the application; in packages only Node builtins count.
 */
export function judgeSlice(
  analysis: ModuleAnalysis,
  slice: Slice,
  options: JudgeSliceOptions,
): BodyFinding[] {
  const found: BodyFinding[] = [];
  const kept = new Set(slice.units);
  const state = new Set(analysis.units.flatMap((unit) => unit.state ?? []));
  const bindings = new Set(slice.bindings);
  const live = unitsOfBodies(analysis, slice);

  for (const unit of analysis.units) {
    if (unit.typeOnly) continue;
    const step = isStepUnit(analysis, unit);
    if (step) {
      const writes = uniqueWrites(unit, (use) => state.has(use.name) && bindings.has(use.name));
      for (const use of writes) add(found, unit, use, stepWritesState(use.name));
    }
    if (!kept.has(unit.index) || step) continue;
    judgeGlobals(analysis, unit, found);
    judgeUses(analysis, unit, options, found);
    if (!live.has(unit.index)) continue;
    const writes = uniqueWrites(unit, (use) => use.deferred && state.has(use.name));
    for (const use of writes) add(found, unit, use, bodyWritesState(use.name));
  }
  for (const { unit, name, start, end } of slice.passed) {
    found.push({ unit, range: { start, end }, finding: passedAtLoad(name) });
  }
  judgeLoads(analysis, kept, found);
  judgeReturns(analysis, slice, found);
  return found.sort((a, b) => a.range.start - b.range.start);
}

/** Units that bodies use while they run, without what is only kept because it prepares state when the module is loaded. */
function unitsOfBodies(analysis: ModuleAnalysis, slice: Slice): Set<number> {
  const live = new Set<number>();
  const index = indexOf(analysis);
  const roots = slice.units.filter((_, position) => {
    const by = slice.reasons[position]?.by;
    return by === "workflow" || by === "export" || by === "class";
  });
  const pending = [...roots];
  for (let unit = pending.pop(); unit !== undefined; unit = pending.pop()) {
    const data = analysis.units[unit];
    if (data === undefined || live.has(unit)) continue;
    live.add(unit);
    if (isStepUnit(analysis, data)) continue;
    for (const use of data.uses) {
      for (const declaring of index.declaredBy.get(use.name) ?? []) pending.push(declaring.index);
    }
  }
  return live;
}

function add(found: BodyFinding[], unit: Unit, { start, end }: Range, finding: Finding): void {
  found.push({ unit: unit.index, range: { start, end }, finding });
}

/** First write to each binding that the test accepts. */
function uniqueWrites(unit: Unit, test: (use: BindingUse) => boolean): BindingUse[] {
  const first = new Map<string, BindingUse>();
  for (const use of unit.uses) {
    if (use.writes !== "assign" && use.writes !== "mutate") continue;
    if (test(use) && !first.has(use.name)) first.set(use.name, use);
  }
  return [...first.values()];
}

function judgeGlobals(analysis: ModuleAnalysis, unit: Unit, found: BodyFinding[]): void {
  for (const use of unit.globals) {
    const finding =
      use.path === "import()"
        ? dynamicImportInBody(undefined)
        : judgeGlobal(use, analysis.format === "commonjs");
    if (finding) add(found, unit, use, finding);
  }
}

function judgeUses(
  analysis: ModuleAnalysis,
  unit: Unit,
  options: JudgeSliceOptions,
  found: BodyFinding[],
): void {
  for (const { floating, ...range } of unit.asks ?? [])
    judgeOperation("ctx.ask", floating, unit, range, found);
  for (const use of unit.uses) {
    const api = importedName(analysis, use, "workflow/api");
    if (api !== undefined) add(found, unit, use, runtimeApi(api));
    const isSleep = use.floating !== undefined && importedName(analysis, use, "workflow") === "sleep";
    if (isSleep) judgeOperation("sleep", use.floating, unit, use, found);
    const step = calledStep(analysis, use, options);
    if (step === undefined) continue;
    if (use.floating !== undefined) add(found, unit, use, floatingStep(step, use.floating));
    for (const value of use.values ?? []) {
      const what = unserialisable(analysis, unit, value);
      if (what !== undefined) add(found, unit, value, argumentNotSerialisable(step, what, nameOf(value)));
    }
  }
}

/** A `sleep` or a question that nobody waits for. With `.then(…)` behind it, it is a timer or goes on by itself. */
function judgeOperation(
  operation: Operation,
  floating: Floating | undefined,
  unit: Unit,
  range: Range,
  found: BodyFinding[],
): void {
  if (floating === undefined || floating.how === "chain") return;
  add(found, unit, range, floatingOperation(operation, floating));
}

/** The name that a use takes from a module of the workflow API. */
function importedName(analysis: ModuleAnalysis, use: BindingUse, specifier: string): string | undefined {
  for (const link of analysis.imports) {
    if (link.specifier !== specifier || link.kind !== "import") continue;
    const name = link.names.find((candidate) => candidate.local === use.name && !candidate.typeOnly);
    if (name) return name.imported === "*" ? (use.path[0] ?? "*") : name.imported;
  }
  return undefined;
}

/** The step that a use calls. */
function calledStep(
  analysis: ModuleAnalysis,
  use: BindingUse,
  options: JudgeSliceOptions,
): string | undefined {
  if (use.called) {
    const own = analysis.directives.find((fn) => fn.kind === "step" && fn.local === use.name);
    return own?.name ?? options.importedStep(use.name);
  }
  const isCall = use.writes === "call" || use.writes === "mutate";
  return isCall && use.path.length === 1 ? options.importedStep(use.name, use.path[0]) : undefined;
}

function unserialisable(analysis: ModuleAnalysis, unit: Unit, value: ValueShape): Unserialisable | undefined {
  switch (value.kind) {
    case "function":
    case "symbol":
      return value.kind;
    case "new":
      if (value.constant === undefined && !isTopUse(unit, value)) return undefined;
      return analysis.plainClasses.includes(value.name ?? "") ? "class" : undefined;
    case "name": {
      if (!isTopUse(unit, value)) return undefined;
      const { name } = value;
      // References to steps and workflows are written as their ids.
      if (analysis.directives.some((fn) => fn.local === name)) return undefined;
      return analysis.functions.some((fn) => fn.name === name) ? "function" : undefined;
    }
  }
}

/** What a message calls a value: by its class, or by the name of the function. */
function nameOf({ name, constant }: ValueShape): string | undefined {
  return name ?? constant;
}

/** Whether the name in a value is the top-level binding, not a local of the same name. */
function isTopUse(unit: Unit, value: ValueShape): boolean {
  return unit.uses.some((use) => use.name === value.name && value.start <= use.start && use.end <= value.end);
}

function judgeLoads(analysis: ModuleAnalysis, kept: ReadonlySet<number>, found: BodyFinding[]): void {
  for (const link of analysis.imports) {
    const unit = analysis.units[link.unit];
    if (link.kind !== "dynamic" || unit === undefined || !kept.has(unit.index)) continue;
    if (!isStepUnit(analysis, unit)) add(found, unit, link, dynamicImportInBody(link.specifier));
  }
}

function judgeReturns(analysis: ModuleAnalysis, slice: Slice, found: BodyFinding[]): void {
  for (const index of slice.steps) {
    const fn = analysis.directives[index];
    const unit = fn && analysis.units[fn.unit];
    if (fn === undefined || unit === undefined) continue;
    for (const value of fn.returns ?? []) {
      const what = unserialisable(analysis, unit, value);
      if (what !== undefined) add(found, unit, value, resultNotSerialisable(fn.name, what, nameOf(value)));
    }
  }
}
