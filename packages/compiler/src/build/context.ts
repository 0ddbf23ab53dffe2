import path from "node:path";
import { allAgents, discover, type Discovery } from "../discovery/index.js";
import type { BundleSession } from "../bundle/session.js";
import { compilerStamp } from "../cache/compiler-stamp.js";
import { FileCache } from "../cache/file-cache.js";
import type { ToolFacts } from "../evaluate/index.js";
import { ModuleStore } from "../graph/module-store.js";
import { PackageScan } from "../resolve/package-scan.js";
import { PackageIndex } from "../resolve/packages.js";
import { canonicalNames } from "../resolve/identity.js";
import { locateSdk, readSdk } from "../resolve/sdk.js";
import type { ModuleAnalysis, ModuleRole } from "../types.js";
import type { ResolvedOptions } from "./options.js";

/** Everything one compilation works with. */
export interface BuildContext {
  options: ResolvedOptions;
  discovery: Discovery;
  session: BundleSession;
  caches: { analyses: FileCache<ModuleAnalysis>; facts: FileCache<[string, ToolFacts][]> } | undefined;
  nameOf: (file: string) => string;
}

/**
 * Looks at the app and prepares a compilation.
 * @throws CompilerError `NO_APP_ROOT`, `SDK_NOT_FOUND`
 */
export function createContext(options: ResolvedOptions): BuildContext {
  const discovery = discover(options.root);
  const { root } = discovery;
  const sdk = readSdk(options.sdkDir ?? locateSdk(root));
  const stamp = `${compilerStamp()}\0${sdk.version}`;
  const caches = options.cache
    ? {
        analyses: new FileCache<ModuleAnalysis>(path.join(options.cacheDir, "analyses.json"), stamp),
        facts: new FileCache<[string, ToolFacts][]>(path.join(options.cacheDir, "definitions.json"), stamp),
      }
    : undefined;
  const packages = new PackageIndex();
  const store = new ModuleStore({
    root,
    packages,
    sdk: sdk.dir,
    roles: rolesOf(discovery),
    ...(caches === undefined ? {} : { cache: caches.analyses }),
  });
  const session: BundleSession = {
    root,
    outDir: options.outDir,
    store,
    scan: new PackageScan(root),
    sdk,
    nameOf: canonicalNames(root, packages, sdk.dir),
    external: new Set(options.external),
    minify: options.minify,
    keepNames: options.keepNames,
  };
  return { options, discovery, session, caches, nameOf: session.nameOf };
}

/** The roles of all modules that discovery found, by absolute path. */
function rolesOf({ agent }: Discovery): Map<string, ModuleRole> {
  const roles = new Map<string, ModuleRole>();
  for (const files of allAgents(agent)) {
    if (files.definition !== undefined) roles.set(files.definition, "agent");
    if (files.instructions?.kind === "module") roles.set(files.instructions.file, "instructions");
    for (const { file } of files.tools) roles.set(file, "tool");
    for (const { file } of files.channels) roles.set(file, "channel");
    for (const { file } of files.schedules) roles.set(file, "schedule");
  }
  return roles;
}
