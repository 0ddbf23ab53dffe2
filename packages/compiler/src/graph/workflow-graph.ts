import { sliceModule } from "../slicing/index.js";
import type { ImportKind, Resolution, Resolve } from "../resolve/resolution.js";
import type { PackageScan } from "../resolve/package-scan.js";
import type { ModuleImport, Slice } from "../types.js";
import type { ModuleStore } from "./module-store.js";
import type { SourceModule } from "./source-module.js";
import { isCompiled } from "./targets.js";

/** One import that the slice of a module still needs. */
export interface Edge {
  /** Index into `analysis.imports`. */
  index: number;
  names: readonly string[];
  target: Resolution;
}

/** A module that bodies reach, and what they need of it. */
export interface GraphModule {
  module: SourceModule;
  /** Export names that importers need; `all` for namespaces and entries. */
  needed: Set<string> | "all";
  slice: Slice;
  /** By import index. */
  edges: Map<number, Edge>;
  /** Local names of imports whose bindings bodies keep elsewhere; statements that write to them stay. */
  keptImports: ReadonlySet<string>;
}

/** The modules of all bodies, sliced to a fixed point. Keys are absolute paths. */
export interface WorkflowGraph {
  modules: Map<string, GraphModule>;
  /** The modules the search started from, in their order. */
  entries: string[];
}

/** Where the search starts: a module, and whether its exports count as needed (plugins) or only its workflows. */
export interface GraphEntry {
  path: string;
  exports: "all" | "none";
}

/**
 * Finds all modules that workflow bodies reach, and the part of each that they need. Starts from the
 * workflow functions of the entries and follows the imports that slices keep, until nothing grows any more.
 */
export async function crawl(
  entries: readonly GraphEntry[],
  store: ModuleStore,
  resolve: Resolve,
  scan: PackageScan,
): Promise<WorkflowGraph> {
  const modules = new Map<string, GraphModule>();
  const resolutions = new Map<string, Promise<Resolution>>();
  let dirty = new Set<string>();

  const need = (path: string, names: readonly string[] | "all"): void => {
    const known = modules.get(path);
    const module = known ?? newModule(store.module(path));
    if (known === undefined) modules.set(path, module);
    if (grow(module, names) || known === undefined) dirty.add(path);
  };

  const resolveOnce = (specifier: string, importer: string, kind: ImportKind): Promise<Resolution> => {
    const key = `${importer}\0${kind}\0${specifier}`;
    let answer = resolutions.get(key);
    if (answer === undefined) {
      answer = resolve(specifier, importer, kind);
      resolutions.set(key, answer);
    }
    return answer;
  };

  for (const entry of entries) need(entry.path, entry.exports === "all" ? "all" : []);
  const writers = (): Promise<Set<string>> => keepWrittenImports([...modules.values()], modules, resolveOnce);
  for (; dirty.size > 0; dirty = dirty.size > 0 ? dirty : await writers()) {
    const batch = [...dirty]
      .sort()
      .map((path) => modules.get(path))
      .filter((module) => module !== undefined);
    dirty = new Set();
    await Promise.all(batch.map((module) => reslice(module, resolveOnce)));
    for (const module of batch) {
      for (const edge of module.edges.values()) {
        if (edge.target.kind !== "file" || !isCompiled(edge.target.path, scan)) continue;
        need(edge.target.path, edge.names.includes("*") ? "all" : edge.names);
      }
    }
  }
  return { modules, entries: entries.map((entry) => entry.path) };
}

function newModule(module: SourceModule): GraphModule {
  const slice: Slice = {
    units: [],
    reasons: [],
    imports: [],
    exports: [],
    bindings: [],
    steps: [],
    workflows: [],
    passed: [],
  };
  return { module, needed: new Set(), slice, edges: new Map(), keptImports: new Set() };
}

function grow(module: GraphModule, names: readonly string[] | "all"): boolean {
  if (module.needed === "all") return false;
  if (names === "all") {
    module.needed = "all";
    return true;
  }
  const before = module.needed.size;
  for (const name of names) module.needed.add(name);
  return module.needed.size > before;
}

async function reslice(graphModule: GraphModule, resolve: Resolve): Promise<void> {
  const { module, needed, keptImports } = graphModule;
  graphModule.slice = sliceModule(module.analysis, { workflows: "all", exports: needed, keptImports });
  const edges = await Promise.all(
    graphModule.slice.imports.map(async ({ index, names }): Promise<Edge | undefined> => {
      const declaration = module.analysis.imports[index];
      if (declaration === undefined) return undefined;
      const target = await resolve(declaration.specifier, module.path, kindOf(declaration));
      return { index, names: isWhole(declaration) ? ["*"] : names, target };
    }),
  );
  graphModule.edges = new Map();
  for (const edge of edges) if (edge !== undefined) graphModule.edges.set(edge.index, edge);
}

/**
 * Finds modules that write, when they are evaluated, to a binding they import and that bodies keep. Returns the
 * paths of those whose slice has to be made again.
 */
async function keepWrittenImports(
  candidates: readonly GraphModule[],
  modules: ReadonlyMap<string, GraphModule>,
  resolve: Resolve,
): Promise<Set<string>> {
  const again = new Set<string>();
  for (const candidate of candidates) {
    const { analysis, path } = candidate.module;
    const written = new Set(
      analysis.units.flatMap(({ uses }) =>
        uses.filter((use) => use.writes !== undefined).map(({ name }) => name),
      ),
    );
    if (written.size === 0) continue;
    const kept = new Set(candidate.keptImports);
    for (const declaration of analysis.imports) {
      if (declaration.kind !== "import" || declaration.typeOnly) continue;
      const names = declaration.names.filter((name) => !name.typeOnly && written.has(name.local));
      if (names.length === 0) continue;
      const target = await resolve(declaration.specifier, path, "import-statement");
      const other = target.kind === "file" ? modules.get(target.path) : undefined;
      for (const { imported, local } of names)
        if (other !== undefined && keeps(other, imported)) kept.add(local);
    }
    if (kept.size === candidate.keptImports.size) continue;
    candidate.keptImports = kept;
    again.add(path);
  }
  return again;
}

function keeps({ module, slice }: GraphModule, imported: string): boolean {
  if (imported === "*") return slice.bindings.length > 0;
  const found = module.analysis.exports.find((item) => item.exported === imported);
  return found?.local !== undefined && slice.bindings.includes(found.local);
}

export function kindOf(declaration: ModuleImport): ImportKind {
  if (declaration.kind === "dynamic") return "dynamic-import";
  return declaration.kind === "require" ? "require-call" : "import-statement";
}

/** `import()` and `require()` give the whole module. */
function isWhole(declaration: ModuleImport): boolean {
  return declaration.kind === "dynamic" || declaration.kind === "require";
}
