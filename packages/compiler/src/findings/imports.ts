import { isParsed } from "../bundle/emit.js";
import { diagnosticAt } from "../diagnostics/diagnostic.js";
import type { GraphModule, WorkflowGraph } from "../graph/workflow-graph.js";
import { installedPackageDir, type PackageScan } from "../resolve/package-scan.js";
import { relativePath } from "../resolve/identity.js";
import { externalDirectives, missingExport, topLevelAwaitInBody, type Finding } from "../rules/index.js";
import type { Diagnostic } from "../types.js";
import { triedFor, type LostImport } from "./unresolved.js";

/** Imports of bodies that lead nowhere. */
export async function unresolvedImports(graph: WorkflowGraph, root: string): Promise<LostImport[]> {
  const found: LostImport[] = [];
  for (const { module, edges } of graph.modules.values()) {
    for (const { index, target } of edges.values()) {
      const declaration = module.analysis.imports[index];
      if (target.kind !== "unresolved" || declaration === undefined) continue;
      const { specifier, specifierStart: start, specifierEnd: end } = declaration;
      const tried = await triedFor(specifier, module.path, root);
      const { file, analysis } = module;
      found.push({ specifier, file, lines: analysis.lines, range: { start, end }, tried });
    }
  }
  return found;
}

/** Names that bodies import and that the module they import from doesn't export (EVE1201). */
export function missingExports(graph: WorkflowGraph): Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const { module, edges } of graph.modules.values()) {
    for (const { index, names, target } of edges.values()) {
      const declaration = module.analysis.imports[index];
      const other = target.kind === "file" ? graph.modules.get(target.path) : undefined;
      if (other === undefined || declaration === undefined || declaration.kind === "export-all") continue;
      for (const name of declaration.names) {
        if (name.typeOnly || name.imported === "*" || !names.includes(name.imported)) continue;
        if (mayExport(graph, other, name.imported, new Set())) continue;
        const finding = missingExport(name.imported, declaration.specifier, module.file);
        found.push(diagnosticAt(module.file, module.analysis.lines, name, finding));
      }
    }
  }
  return found;
}

/** Whether a module exports a name, as a value or a type; yes where it can't be known. */
function mayExport(
  graph: WorkflowGraph,
  { module, edges }: GraphModule,
  name: string,
  seen: Set<string>,
): boolean {
  const { format, exports, imports } = module.analysis;
  const own = exports.some((item) => item.exported === name || item.exported === "export=");
  if (format === "commonjs" || !isParsed(module) || own) return true;
  if (seen.has(module.path)) return false;
  seen.add(module.path);
  return imports.some((declaration, index) => {
    if (declaration.kind !== "export-all" || name === "default") return false;
    const target = edges.get(index)?.target;
    const other = target?.kind === "file" ? graph.modules.get(target.path) : undefined;
    return other === undefined || mayExport(graph, other, name, seen);
  });
}

/** Packages that the caller wants external although they ship directives (EVE1202). */
export function externalsWithDirectives(
  graph: WorkflowGraph,
  external: ReadonlySet<string>,
  scan: PackageScan,
): Diagnostic[] {
  if (external.size === 0) return [];
  const found: Diagnostic[] = [];
  for (const { module, edges } of graph.modules.values()) {
    for (const { index, target } of edges.values()) {
      const declaration = module.analysis.imports[index];
      if (target.kind !== "file" || declaration === undefined || !scan.ships(target.path)) continue;
      if (!external.has(packageName(target.path))) continue;
      const { specifierStart: start, specifierEnd: end } = declaration;
      found.push(
        diagnosticAt(module.file, module.analysis.lines, { start, end }, hiddenPackage(target.path)),
      );
    }
  }
  return found;
}

/** What is said of a package with directives that is external; `file` is one of its files. */
export function hiddenPackage(file: string): Finding {
  const name = packageName(file);
  return externalDirectives(name, `${name}/${relativePath(installedPackageDir(file) ?? "", file)}`);
}

function packageName(file: string): string {
  const dir = installedPackageDir(file) ?? "";
  return /(?:@[^/\\]+[/\\])?[^/\\]+$/.exec(dir)?.[0].replace("\\", "/") ?? "";
}

/** Modules whose kept part waits while it is evaluated (EVE1203). */
export function awaitsAtLoad(graph: WorkflowGraph): Diagnostic[] {
  return [...graph.modules.values()].flatMap(awaitAtLoad);
}

function awaitAtLoad({ module, slice }: GraphModule): Diagnostic[] {
  const { topLevelAwait: range, units, lines } = module.analysis;
  if (range === undefined) return [];
  const holder = units.find(
    (unit) => unit.shape !== "entry-point" && unit.start <= range.start && range.end <= unit.end,
  );
  if (holder === undefined || !slice.units.includes(holder.index)) return [];
  return [diagnosticAt(module.file, lines, range, topLevelAwaitInBody(module.file))];
}
