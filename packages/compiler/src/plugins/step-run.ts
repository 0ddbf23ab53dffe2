import { emitStepModule, isParsed } from "../bundle/emit.js";
import type { PluginBuild } from "../bundle/esbuild.js";
import { findingsOfSteps } from "../findings/plugin.js";
import type { ModuleStore } from "../graph/module-store.js";
import type { SourceModule } from "../graph/source-module.js";
import { isCompiled } from "../graph/targets.js";
import { PackageScan } from "../resolve/package-scan.js";
import type { Sdk } from "../resolve/sdk.js";
import type { Diagnostic } from "../types.js";
import { HiddenPackages } from "./hidden-packages.js";
import { newStore, type Run } from "./run.js";

/** Step mode: compiles the modules with directives that esbuild comes to. */
export class StepRun implements Run {
  readonly #root: string;
  readonly #hidden: HiddenPackages;
  #store: ModuleStore;
  #scan: PackageScan;

  constructor(root: string, sdk: Sdk, listed: ReadonlySet<string>) {
    this.#root = root;
    this.#hidden = new HiddenPackages(root, sdk, listed, () => this.#scan);
    this.#store = newStore(root);
    this.#scan = new PackageScan(root);
  }

  register(build: PluginBuild): void {
    this.#hidden.register(build);
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/, namespace: "file" }, ({ path: file }) => {
      if (!isCompiled(file, this.#scan) || !this.#store.mayNeedCompiler(file)) return undefined;
      const module = this.#store.module(file);
      const { directives, classes } = module.analysis;
      const isPlain = directives.length === 0 && classes.length === 0 && isParsed(module);
      return isPlain ? undefined : emitStepModule(module);
    });
  }

  start(): void {
    this.#hidden.clear();
    this.#store = newStore(this.#root);
    this.#scan = new PackageScan(this.#root);
  }

  finish(): Promise<Diagnostic[]> {
    return Promise.resolve(findingsOfSteps(this.#store, this.#hidden.found));
  }

  compiled(): SourceModule[] {
    return this.#store.analysed();
  }

  textOf(file: string): string | undefined {
    return this.#store.peek(file)?.text;
  }
}
