import { functionId, moduleId } from "../ids/index.js";
import type { PackageScan } from "../resolve/package-scan.js";
import type { Resolve } from "../resolve/resolution.js";
import type { ModuleStore } from "./module-store.js";
import type { SourceModule } from "./source-module.js";
import { isCompiled } from "./targets.js";

/** The workflow function behind a tool's entry point. */
export interface EntryPoint {
  /** Workflow id. */
  id: string;
  module: SourceModule;
}

/**
 * The workflow function of a tool module: in the module itself, or where its import leads through re-exports.
 * `undefined` when there is none: the tool is no workflow tool, or a finding says why.
 */
export async function entryPointOf(
  tool: SourceModule,
  store: ModuleStore,
  resolve: Resolve,
  scan: PackageScan,
): Promise<EntryPoint | undefined> {
  const reading = tool.analysis.tool;
  if (reading?.directive !== undefined) return entryPoint(tool, reading.directive);
  if (reading?.imported === undefined) return undefined;
  const { local, member } = reading.imported;
  const found = await followLocal(tool, local, member, { store, resolve, scan, seen: new Set() });
  return found === undefined ? undefined : entryPoint(found.module, found.directive);
}

function entryPoint(module: SourceModule, directive: number): EntryPoint | undefined {
  const found = module.analysis.directives[directive];
  if (found?.kind !== "workflow") return undefined;
  return { id: functionId("workflow", moduleId(module.identity), found.name), module };
}

interface Search {
  store: ModuleStore;
  resolve: Resolve;
  scan: PackageScan;
  seen: Set<string>;
}

interface Found {
  module: SourceModule;
  directive: number;
}

/** Where a local binding of a module, or a member of a namespace import, is declared. */
async function followLocal(
  module: SourceModule,
  local: string,
  member: string | undefined,
  search: Search,
): Promise<Found | undefined> {
  const { directives, imports } = module.analysis;
  const own = directives.findIndex((item) => item.local === local);
  if (own !== -1) return member === undefined ? { module, directive: own } : undefined;
  for (const declaration of imports) {
    if (declaration.kind !== "import") continue;
    const name = declaration.names.find((item) => item.local === local && !item.typeOnly);
    if (name === undefined) continue;
    const wanted = name.imported === "*" ? member : name.imported;
    return wanted === undefined ? undefined : followImport(module, declaration.specifier, wanted, search);
  }
  return undefined;
}

async function followImport(
  from: SourceModule,
  specifier: string,
  name: string,
  search: Search,
): Promise<Found | undefined> {
  const target = await search.resolve(specifier, from.path, "import-statement");
  if (target.kind !== "file" || !isCompiled(target.path, search.scan)) return undefined;
  const key = `${target.path}\0${name}`;
  if (search.seen.has(key)) return undefined;
  search.seen.add(key);
  return followExport(search.store.module(target.path), name, search);
}

async function followExport(module: SourceModule, name: string, search: Search): Promise<Found | undefined> {
  const { exports, imports, directives } = module.analysis;
  const found = exports.find((item) => item.exported === name && !item.typeOnly);
  if (found?.from !== undefined)
    return followImport(module, found.from.specifier, found.from.imported, search);
  if (found?.local !== undefined) return followLocal(module, found.local, undefined, search);
  if (found !== undefined) {
    const anonymous = directives.findIndex((item) => item.unit === found.unit);
    return anonymous === -1 ? undefined : { module, directive: anonymous };
  }
  if (name === "default") return undefined;
  for (const declaration of imports) {
    if (declaration.kind !== "export-all" || declaration.typeOnly) continue;
    const behind = await followImport(module, declaration.specifier, name, search);
    if (behind !== undefined) return behind;
  }
  return undefined;
}
