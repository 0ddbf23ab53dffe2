import type { BuildResult, PluginBuild } from "../bundle/esbuild.js";
import { ModuleStore } from "../graph/module-store.js";
import type { SourceModule } from "../graph/source-module.js";
import { PackageIndex } from "../resolve/packages.js";
import type { Diagnostic } from "../types.js";

/** One build of either mode; `start` begins a new one in watch mode. */
export interface Run {
  register(build: PluginBuild): void;
  start(): Promise<void> | void;
  finish(result: BuildResult): Promise<Diagnostic[]>;
  compiled(): SourceModule[];
  textOf(file: string): string | undefined;
}

export function newStore(root: string): ModuleStore {
  return new ModuleStore({ root, packages: new PackageIndex(), roles: new Map() });
}
