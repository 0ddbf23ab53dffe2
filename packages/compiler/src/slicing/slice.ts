import type { KeepReason, ModuleAnalysis, Slice, Unit } from "../types.js";
import { commonjsExport } from "./commonjs.js";
import { indexOf, isStepUnit, type ModuleIndex } from "./index-of.js";
import { writeThrough } from "./writes.js";

export interface SliceOptions {
  /** Workflow functions that stay, by name; `all` for every one of the module. */
  workflows: "all" | readonly string[];
  /**
   * Exports that other kept code uses. `all` means all but the default export of a tool, which no body needs; name
   * `default` to have it anyway.
   */
  exports: "all" | ReadonlySet<string>;
  /**
   * Local names of imports whose bindings are kept in their own modules: statements that write through them stay,
   * though nothing else here uses them.
   */
  keptImports?: ReadonlySet<string>;
}

/**
 * Selects the part of a module that workflow mode keeps: workflow functions, needed exports, and to a fixed point all
 * that they use by binding, with the statements that write to it. Classes that can be written to the log stay. A step stays as a proxy, and nothing that only its
 * body uses. Type-only uses keep nothing.
 *
 * Pure. `Slice.imports` tells which names the slice still needs of other modules; the caller goes on there.
 *
 * ```ts
 * const slice = sliceModule(analysis, { workflows: "all", exports: new Set(["plan"]) });
 * ```
 */
export function sliceModule(analysis: ModuleAnalysis, options: SliceOptions): Slice {
  const index = indexOf(analysis);
  const kept = new Map<number, KeepReason>();
  const bindings = new Set<string>();
  const exported = new Set<number>();

  const keepUnit = (unit: Unit, reason: KeepReason): void => {
    if (kept.has(unit.index) || unit.typeOnly) return;
    kept.set(unit.index, reason);
    if (unit.shape !== "import") {
      for (const name of unit.declares) {
        bindings.add(name);
        for (const merged of index.declaredBy.get(name) ?? []) keepUnit(merged, reason);
      }
    }
    if (isStepUnit(analysis, unit)) return;
    for (const { name, start, end } of unit.uses) {
      keepBinding(name, { by: "use", unit: unit.index, name, start, end });
    }
    for (const inner of analysis.units) if (inner.host === unit.index) keepUnit(inner, reason);
  };

  const keepBinding = (name: string, reason: KeepReason): void => {
    if (bindings.has(name) && !index.importOf.has(name)) return;
    const link = index.importOf.get(name);
    if (link) {
      bindings.add(name);
      const unit = analysis.units[analysis.imports[link.index]?.unit ?? -1];
      if (unit) keepUnit(unit, reason);
      return;
    }
    for (const unit of index.declaredBy.get(name) ?? []) keepUnit(unit, reason);
  };

  analysis.directives.forEach((fn, directive) => {
    if (fn.kind !== "workflow") return;
    if (options.workflows !== "all" && !options.workflows.includes(fn.name)) return;
    const unit = analysis.units[fn.unit];
    if (unit) keepUnit(unit, { by: "workflow", directive });
  });

  // Any step may return an instance, and a body can receive only what its bundle knows.
  for (const { name, unit } of analysis.classes) {
    const holder = analysis.units[unit];
    if (holder) keepUnit(holder, { by: "class", name });
  }

  analysis.exports.forEach((item, position) => {
    if (item.typeOnly || !isNeeded(item.exported, analysis, options)) return;
    exported.add(position);
    const reason: KeepReason = { by: "export", exported: item.exported };
    if (item.local !== undefined) keepBinding(item.local, reason);
    const unit = analysis.units[item.unit];
    if (unit) keepUnit(unit, reason);
  });

  if (analysis.format === "commonjs") {
    for (const unit of analysis.units) {
      const name = commonjsExport(unit);
      const needed = name !== undefined && (name === "*" || isNeededOfCommonjs(name, options));
      if (needed) keepUnit(unit, { by: "export", exported: name });
    }
  }
  keepWrites(analysis, index, kept, bindings, options, keepUnit);
  const stars = keepStars(analysis, options, kept, keepUnit);

  const units = [...kept.keys()].sort((a, b) => a - b);
  const directivesOf = (kind: "step" | "workflow"): number[] =>
    analysis.directives.flatMap((fn, directive) =>
      fn.kind === kind && kept.has(fn.unit) ? [directive] : [],
    );
  return {
    units,
    reasons: units.map((unit) => kept.get(unit) as KeepReason),
    imports: neededImports(analysis, kept, bindings, exported, stars),
    exports: [...exported].sort((a, b) => a - b),
    bindings: [...bindings].sort(),
    steps: directivesOf("step"),
    workflows: directivesOf("workflow"),
    passed: passedBindings(analysis, index, kept, bindings),
  };
}

function isNeeded(exported: string, analysis: ModuleAnalysis, options: SliceOptions): boolean {
  // `export = value` gives whatever name an importer asks for.
  if (options.exports !== "all")
    return options.exports.has(exported) || (exported === "export=" && options.exports.size > 0);
  return exported !== "default" || analysis.tool === undefined;
}

/** A default import of a CommonJS module, or a namespace, gets all of its exports. */
function isNeededOfCommonjs(name: string, { exports }: SliceOptions): boolean {
  return exports === "all" || exports.has(name) || exports.has("default");
}

/** Keeps statements that write through kept bindings, which may keep further bindings, until nothing changes. */
function keepWrites(
  analysis: ModuleAnalysis,
  index: ModuleIndex,
  kept: ReadonlyMap<number, KeepReason>,
  bindings: ReadonlySet<string>,
  options: SliceOptions,
  keepUnit: (unit: Unit, reason: KeepReason) => void,
): void {
  const isKept = (name: string): boolean => bindings.has(name) || options.keptImports?.has(name) === true;
  for (let changed = true; changed;) {
    changed = false;
    for (const unit of analysis.units) {
      if (kept.has(unit.index) || unit.typeOnly) continue;
      const use = writeThrough(unit, analysis, index, isKept);
      if (use === undefined) continue;
      keepUnit(unit, { by: "write", name: use.name, start: use.start, end: use.end });
      changed = true;
    }
  }
}

/** Names that may come from each `export * from`, by import index: needed, and not exported by the module itself. */
function keepStars(
  analysis: ModuleAnalysis,
  options: SliceOptions,
  kept: Map<number, KeepReason>,
  keepUnit: (unit: Unit, reason: KeepReason) => void,
): Map<number, string[]> {
  const own = new Set(analysis.exports.map((item) => item.exported));
  const names =
    options.exports === "all"
      ? ["*"]
      : [...options.exports].filter((name) => !own.has(name) && name !== "default").sort();
  const stars = new Map<number, string[]>();
  if (names.length === 0) return stars;
  analysis.imports.forEach((link, position) => {
    if (link.kind !== "export-all" || link.typeOnly) return;
    stars.set(position, names);
    const unit = analysis.units[link.unit];
    if (unit && !kept.has(unit.index)) keepUnit(unit, { by: "export", exported: names[0] ?? "*" });
  });
  return stars;
}

function neededImports(
  analysis: ModuleAnalysis,
  kept: ReadonlyMap<number, KeepReason>,
  bindings: ReadonlySet<string>,
  exported: ReadonlySet<number>,
  stars: ReadonlyMap<number, string[]>,
): Slice["imports"] {
  const needed: Slice["imports"] = [];
  analysis.imports.forEach((link, index) => {
    const names = new Set<string>();
    switch (link.kind) {
      case "import":
        for (const name of link.names) {
          if (name.typeOnly || !bindings.has(name.local)) continue;
          if (name.imported !== "*") names.add(name.imported);
          else for (const member of namespaceMembers(name.local, analysis, kept, exported)) names.add(member);
        }
        break;
      case "reexport":
        for (const position of exported) {
          const item = analysis.exports[position];
          if (item?.from?.import === index) names.add(item.from.imported);
        }
        break;
      case "export-all":
        for (const name of stars.get(index) ?? []) names.add(name);
        break;
      case "dynamic":
      case "require": {
        const unit = analysis.units[link.unit];
        const loads = link.names.length === 0 || link.names.some((name) => bindings.has(name.local));
        if (unit && kept.has(unit.index) && loads && !isStepUnit(analysis, unit)) names.add("*");
        break;
      }
    }
    if (names.size > 0) needed.push({ index, names: [...names].sort() });
  });
  return needed;
}

/** Members of a namespace import that kept code reads; `*` when the namespace itself goes somewhere. */
function namespaceMembers(
  local: string,
  analysis: ModuleAnalysis,
  kept: ReadonlyMap<number, KeepReason>,
  exported: ReadonlySet<number>,
): string[] {
  for (const position of exported) if (analysis.exports[position]?.local === local) return ["*"];
  const members = new Set<string>();
  for (const unit of analysis.units) {
    if (!kept.has(unit.index) || isStepUnit(analysis, unit)) continue;
    for (const use of unit.uses) {
      if (use.name !== local) continue;
      const [member] = use.path;
      if (member === undefined) return ["*"];
      members.add(member);
    }
  }
  return [...members];
}

/** Kept state that dropped statements hand to a call when the module is evaluated. */
function passedBindings(
  analysis: ModuleAnalysis,
  index: ModuleIndex,
  kept: ReadonlyMap<number, KeepReason>,
  bindings: ReadonlySet<string>,
): Slice["passed"] {
  const state = new Set(analysis.units.flatMap((unit) => unit.state ?? []));
  const hosts = new Set(analysis.units.map((unit) => unit.host));
  const passed: Slice["passed"] = [];
  for (const unit of analysis.units) {
    const judged = unit.shape === "expression" || unit.shape === "block" || unit.shape === "variable";
    if (!judged || kept.has(unit.index) || unit.typeOnly || hosts.has(unit.index)) continue;
    for (const use of unit.uses) {
      if (!use.passed || use.deferred || !bindings.has(use.name) || !state.has(use.name)) continue;
      if (index.functions.has(use.name)) continue;
      passed.push({ name: use.name, unit: unit.index, start: use.start, end: use.end });
    }
  }
  return passed;
}
