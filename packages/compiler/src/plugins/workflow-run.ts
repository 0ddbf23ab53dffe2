import path from "node:path";
import { emitWorkflowModule } from "../bundle/emit.js";
import type { BuildResult, PluginBuild } from "../bundle/esbuild.js";
import { PASS, resolverOf } from "../bundle/resolver.js";
import { loadStubs, stubFor } from "../bundle/stub.js";
import { findingsOfWorkflows } from "../findings/plugin.js";
import type { ModuleStore } from "../graph/module-store.js";
import type { SourceModule } from "../graph/source-module.js";
import { isCompiled } from "../graph/targets.js";
import { crawl, type GraphEntry, type WorkflowGraph } from "../graph/workflow-graph.js";
import { BUILTIN_FILTER } from "../resolve/builtins.js";
import { canonicalName } from "../resolve/identity.js";
import { PackageScan } from "../resolve/package-scan.js";
import type { Resolve } from "../resolve/resolution.js";
import type { Sdk } from "../resolve/sdk.js";
import { sliceModule } from "../slicing/index.js";
import type { Diagnostic } from "../types.js";
import { HiddenPackages } from "./hidden-packages.js";
import { newStore, type Run } from "./run.js";

/** Workflow mode: slices the modules that the build's entry points reach. */
export class WorkflowRun implements Run {
  readonly #root: string;
  readonly #sdk: Sdk;
  readonly #hidden: HiddenPackages;
  readonly #listed: ReadonlySet<string>;
  readonly #build: PluginBuild;
  #store: ModuleStore;
  #scan: PackageScan;
  #graph: WorkflowGraph = { modules: new Map(), entries: [] };

  constructor(build: PluginBuild, root: string, sdk: Sdk, listed: ReadonlySet<string>) {
    this.#build = build;
    this.#root = root;
    this.#sdk = sdk;
    this.#listed = listed;
    this.#hidden = new HiddenPackages(root, sdk, listed, () => this.#scan);
    this.#store = newStore(root);
    this.#scan = new PackageScan(root);
  }

  register(build: PluginBuild): void {
    this.#hidden.register(build);
    loadStubs(build);
    build.onResolve({ filter: BUILTIN_FILTER }, (args) =>
      args.pluginData === PASS ? undefined : stubFor("builtin", args),
    );
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, ({ path: file }) => {
      const known = this.#graph.modules.get(file);
      if (known !== undefined) return emitWorkflowModule(known);
      if (!isCompiled(file, this.#scan) || !this.#store.mayNeedCompiler(file)) return undefined;
      return emitWorkflowModule(this.#whole(this.#store.module(file)));
    });
  }

  async start(): Promise<void> {
    this.#store = newStore(this.#root);
    this.#scan = new PackageScan(this.#root);
    const entries = await this.#entries();
    this.#hidden.clear();
    const native = resolverOf(this.#build, this.#sdk);
    const resolve: Resolve = async (specifier, importer, kind) => {
      const found = await native(specifier, importer, kind);
      if (found.kind !== "foreign") return found;
      const file = await this.#hidden.behind(specifier, importer);
      return file === undefined ? found : { kind: "file", path: file };
    };
    this.#graph = await crawl(entries, this.#store, resolve, this.#scan);
  }

  finish(result: BuildResult): Promise<Diagnostic[]> {
    return findingsOfWorkflows({
      graph: this.#graph,
      store: this.#store,
      scan: this.#scan,
      external: this.#listed,
      nameOf: (file) => canonicalName(file, this.#root, this.#store.packages, this.#sdk.dir),
      workingDir: this.#build.initialOptions.absWorkingDir ?? process.cwd(),
      result,
    });
  }

  compiled(): SourceModule[] {
    return this.#store.analysed();
  }

  textOf(file: string): string | undefined {
    return this.#store.peek(file)?.text;
  }

  /** The entry points of the build that are files; what they export is needed. */
  async #entries(): Promise<GraphEntry[]> {
    const dir = this.#build.initialOptions.absWorkingDir ?? process.cwd();
    const found: GraphEntry[] = [];
    for (const name of entryNames(this.#build.initialOptions.entryPoints)) {
      // esbuild takes entry points for paths first, for packages then.
      for (const specifier of path.isAbsolute(name) ? [name] : [`./${name}`, name]) {
        const options = { resolveDir: dir, kind: "entry-point", pluginData: PASS } as const;
        const { errors, namespace, path: file } = await this.#build.resolve(specifier, options);
        if (errors.length > 0) continue;
        if (namespace === "file" && isCompiled(file, this.#scan)) found.push({ path: file, exports: "all" });
        break;
      }
    }
    return found;
  }

  /** A module that the graph doesn't hold, since its importer isn't compiled: nothing is known of what is needed. */
  #whole(module: SourceModule): Parameters<typeof emitWorkflowModule>[0] {
    const slice = sliceModule(module.analysis, { workflows: "all", exports: "all" });
    return { module, needed: "all", slice, edges: new Map(), keptImports: new Set() };
  }
}

function entryNames(entryPoints: PluginBuild["initialOptions"]["entryPoints"]): string[] {
  if (entryPoints === undefined) return [];
  if (!Array.isArray(entryPoints)) return Object.values(entryPoints);
  return entryPoints.map((entry) => (typeof entry === "string" ? entry : entry.in));
}
