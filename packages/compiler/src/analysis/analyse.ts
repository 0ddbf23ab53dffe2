import type * as t from "@babel/types";
import { judgeCandidates, type Verdict } from "../directives/judge.js";
import { compareDiagnostics, diagnosticAt } from "../diagnostics/diagnostic.js";
import { lineStarts, withoutBom } from "../parse/lines.js";
import { endOf, rangeOf, startOf, type FunctionNode, type Node } from "../parse/nodes.js";
import { parseModule } from "../parse/parse.js";
import { shadowsGlobalObject, syntaxError, usesThis } from "../rules/index.js";
import { lookupFrom, type Reference } from "../scope/scope.js";
import type { ModuleAnalysis, ModuleRole, Unit } from "../types.js";
import { constantFollower } from "./constants.js";
import type { Located } from "./definition.js";
import { directiveFunctions } from "./directive-functions.js";
import { collectFacts, type Facts } from "./facts.js";
import { judgeEntryPoints } from "./entry-points.js";
import { jsxNames } from "./jsx.js";
import { serialisableClasses } from "./classes.js";
import { readStatements, type Statements } from "./statements.js";
import { readSuppressions } from "./suppressions.js";
import { factoryOf, inlineEntryPoints, readDefaultExport, type DefaultExport } from "./tool.js";
import { plainClasses, readTopLevel, topLevelFunctions, type TopLevel } from "./top-level.js";
import { removedImports } from "./removed.js";
import { resolveUses } from "./uses.js";

export interface AnalyseOptions {
  /** Path relative to the app root, `/` separators. Its extension says which dialect the text is in. */
  file: string;
  /** By where discovery found it; `module` by default. */
  role?: ModuleRole;
  /**
   * Names that JSX compiles to calls of, from the owning tsconfig (`jsxFactory`, `jsxFragmentFactory`); `React` by
   * default. Pragmas in the file win. Empty for the automatic runtime.
   */
  jsx?: readonly string[];
}

/**
 * Reads one module: parses it once, resolves its bindings, recognises directives and the tool it defines, and judges
 * everything that can be judged without other modules. Pure: the result depends on the arguments alone.
 *
 * Never throws for a fault of the text; what is wrong stands in `diagnostics`, sorted.
 *
 * ```ts
 * const analysis = analyseModule(text, { file: "agent/tools/deploy.ts", role: "tool" });
 * analysis.directives.map((fn) => fn.name); // ["execute", "planDeploy", "applyDeploy"]
 * ```
 */
export function analyseModule(source: string, options: AnalyseOptions): ModuleAnalysis {
  const text = withoutBom(source);
  const lines = lineStarts(text);
  const parsed = parseModule(text, options.file);
  const analysis: ModuleAnalysis = {
    file: options.file,
    hashbang: text.startsWith("#!"),
    format: parsed.format,
    lines,
    units: [],
    imports: [],
    exports: [],
    directives: [],
    functions: [],
    classes: [],
    plainClasses: [],
    names: [],
    suppressions: [],
    diagnostics: [],
    misread: [],
    directiveStrings: [],
  };
  const report = ({ range, finding }: Located): void => {
    analysis.diagnostics.push(diagnosticAt(options.file, lines, range, finding));
  };
  for (const problem of parsed.problems) {
    report({
      range: { start: problem.offset, end: problem.offset + 1 },
      finding: syntaxError(problem.message),
    });
  }
  // A tree that the parser had to repair may say anything; its directives would be guesses.
  if (parsed.ast === undefined || parsed.problems.length > 0) return analysis;

  const { program } = parsed.ast;
  const statements = readStatements(program);
  const top = readTopLevel(program, statements.imports);
  const exported = readDefaultExport(top, options.role ?? "module", program);
  const { facts, units } = walk(program, text, statements, exported);
  addHoistedNames(units, facts);
  const unbound = resolveUses(facts.references, units, statements);
  addJsxUses(units, jsxNames(parsed.ast.comments ?? [], options.jsx));

  const verdicts = judge(facts, exported, top);
  const directives = directiveFunctions(verdicts, units, exported.entries, lines, text);
  for (const [index, fn] of directives.list.entries()) units[fn.unit]?.directives.push(index);

  analysis.units = units;
  analysis.imports = [...statements.imports, ...boundLoads(facts)];
  analysis.exports = statements.exports.map((item) => ({
    ...item,
    // `export { T }` of a type says nothing of it; what no value declares leaves no trace.
    typeOnly: item.typeOnly || (item.local !== undefined && !facts.module.bindings.has(item.local)),
  }));
  const follow = constantFollower(facts.references);
  for (const fn of directives.list) if (fn.returns) fn.returns = follow(fn.returns);
  analysis.directives = directives.list;
  analysis.functions = topLevelFunctions(program, lines);
  const classes = serialisableClasses(program, top, facts.classes, units, text);
  analysis.classes = classes.list;
  analysis.plainClasses = plainClasses(program);
  analysis.names = [...new Set([...facts.module.bindings.keys(), ...unbound])].sort();
  analysis.suppressions = readSuppressions(parsed.ast.comments ?? [], lines);
  analysis.misread = verdicts
    .filter(({ accepted, assumed }) => accepted === undefined && assumed === undefined)
    .map(({ owner }) => (owner === undefined ? { start: 0, end: text.length } : rangeOf(owner)));
  analysis.directiveStrings = facts.candidates.map((candidate) => ({
    start: candidate.start,
    end: candidate.end,
    owner: rangeOf(candidate.owner ?? candidate),
  }));
  if (facts.topLevelAwait) analysis.topLevelAwait = facts.topLevelAwait;
  if (exported.reading) {
    const entry = exported.entries[0]?.target;
    const fn = entry && "fn" in entry ? directives.byNode.get(entry.fn) : undefined;
    analysis.tool = fn === undefined ? exported.reading : { ...exported.reading, directive: fn };
  }

  for (const verdict of verdicts) verdict.findings.forEach(report);
  for (const { owner, word, range } of facts.receivers) {
    const fn = directives.list[directives.byNode.get(owner) ?? -1];
    if (fn) report({ range, finding: usesThis(word, fn.name) });
  }
  [
    ...exported.findings,
    ...facts.findings,
    ...classes.findings,
    ...removedImports(statements.imports),
  ].forEach(report);
  judgeEntryPoints(exported.entries, verdicts).forEach(report);
  if (directives.list.length > 0 && facts.module.bindings.has("globalThis")) {
    const unit = units.find((candidate) => candidate.declares.includes("globalThis"));
    report({ range: unit ?? { start: 0, end: 0 }, finding: shadowsGlobalObject() });
  }
  analysis.diagnostics.sort(compareDiagnostics);
  return analysis;
}

/** One walk, with a unit of its own for each inline entry point. */
function walk(
  program: t.Program,
  text: string,
  statements: Statements,
  exported: DefaultExport,
): { facts: Facts; units: Unit[] } {
  const units = [...statements.units];
  const entryUnits = new Map<Node, number>();
  for (const { property } of inlineEntryPoints(exported.entries).values()) {
    const start = startOf(property);
    const host = statements.units.find((unit) => unit.start <= start && start < unit.end);
    if (host === undefined) continue;
    entryUnits.set(property, units.length);
    units.push({
      index: units.length,
      shape: "entry-point",
      host: host.index,
      ...rangeOf(property),
      declares: [],
      uses: [],
      globals: [],
      effects: false,
      typeOnly: false,
      directives: [],
      jsx: false,
    });
  }
  return { facts: collectFacts(program, text, units, entryUnits), units };
}

function judge(facts: Facts, exported: DefaultExport, top: TopLevel): Verdict[] {
  const entries = inlineEntryPoints(exported.entries);
  return judgeCandidates(facts.candidates, {
    entryPoint: (fn) => entries.get(fn)?.name,
    plainOwner: (fn) => {
      const { plain, handlers } = exported;
      const handler = handlers.find((candidate) => candidate.fn === fn);
      if (handler) return handler.owner;
      const inside = plain?.nodes.some((node) => startOf(node) <= startOf(fn) && endOf(fn) <= endOf(node));
      return inside ? plain?.owner : undefined;
    },
    captures: (fn) => capturedNames(fn, facts.references),
    isStray: (call) =>
      factoryOf(call, top)?.factory === "defineWorkflowTool" && startOf(call) !== exported.reading?.start,
  });
}

/** Names of surrounding functions that a function uses, sorted. */
function capturedNames(fn: FunctionNode, references: readonly Reference[]): string[] {
  const names = new Set<string>();
  for (const reference of references) {
    if (reference.start < startOf(fn) || reference.end > endOf(fn)) continue;
    const found = lookupFrom(reference.scope, reference.name);
    if (found && !found.binding.top && found.scope.start < startOf(fn)) names.add(reference.name);
  }
  return [...names].sort();
}

/** `require()` calls of a local function called `require` load nothing that can be known. */
function boundLoads(facts: Facts): Facts["loads"] {
  const bound = new Set<number>();
  for (const reference of facts.references) {
    if (reference.name === "require" && lookupFrom(reference.scope, "require")) bound.add(reference.start);
  }
  return facts.loads.filter((load) => load.kind !== "require" || !bound.has(load.start));
}

/** Names that the blocks and loops of a statement declare for the whole module. */
function addHoistedNames(units: readonly Unit[], facts: Facts): void {
  for (const { name, hoistedFrom } of facts.module.bindings.values()) {
    for (const index of hoistedFrom ?? []) {
      const unit = units[index];
      if (unit === undefined || unit.declares.includes(name)) continue;
      unit.declares.push(name);
      unit.state = [...(unit.state ?? []), name];
    }
  }
}

/** JSX compiles to calls of names that don't stand in the text; a unit that holds some uses them. */
function addJsxUses(units: readonly Unit[], names: readonly string[]): void {
  const declared = new Set(units.flatMap((unit) => unit.declares));
  for (const unit of units) {
    if (!unit.jsx) continue;
    for (const name of names) {
      if (!declared.has(name)) continue;
      const { start } = unit;
      unit.uses.push({ name, start, end: start, path: [], called: true, passed: false, deferred: false });
    }
  }
}
