import path from "node:path";
import { BARE } from "../bundle/filter.js";
import type { OnResolveArgs, OnResolveResult, PluginBuild } from "../bundle/esbuild.js";
import { PASS, withResolver } from "../bundle/resolver.js";
import { isBuiltin } from "../resolve/builtins.js";
import { installedFrom, packageOf } from "../resolve/installed.js";
import type { PackageScan } from "../resolve/package-scan.js";
import { SDK_FILTER, type Sdk } from "../resolve/sdk.js";

/** An import of a package that the build leaves external although it ships directives. */
export interface HiddenImport {
  specifier: string;
  /** Absolute. */
  importer: string;
  /** The file that it would load. */
  file: string;
}

/**
 * Looks behind imports that a build leaves external. Packages with directives are compiled in spite of
 * `packages: "external"`; those that are listed by name are remembered, to be reported.
 */
export class HiddenPackages {
  readonly #root: string;
  readonly #sdk: Sdk;
  readonly #scan: () => PackageScan;
  readonly #listed: ReadonlySet<string>;
  readonly #files = new Map<string, Promise<string | undefined>>();
  readonly #found: HiddenImport[] = [];

  constructor(root: string, sdk: Sdk, listed: ReadonlySet<string>, scan: () => PackageScan) {
    this.#root = root;
    this.#sdk = sdk;
    this.#listed = listed;
    this.#scan = scan;
  }

  /** Imports of listed packages with directives, so far. */
  get found(): readonly HiddenImport[] {
    return this.#found;
  }

  clear(): void {
    this.#files.clear();
    this.#found.length = 0;
  }

  register(build: PluginBuild): void {
    build.onResolve({ filter: BARE }, (args) =>
      args.pluginData === PASS ? undefined : this.#answer(build, args),
    );
  }

  /** The file with directives behind an import that the build leaves external. */
  behind(specifier: string, importer: string): Promise<string | undefined> {
    const dir = path.dirname(importer);
    if (installedFrom(packageOf(specifier), dir) === undefined) return Promise.resolve(undefined);
    const key = `${dir}\0${specifier}`;
    let file = this.#files.get(key);
    if (file === undefined) {
      file = this.#find(specifier, importer);
      this.#files.set(key, file);
    }
    return file;
  }

  async #find(specifier: string, importer: string): Promise<string | undefined> {
    const found = await withResolver(this.#root, this.#sdk, (resolve) =>
      resolve(specifier, importer, "import-statement"),
    );
    return found.kind === "file" && this.#scan().ships(found.path) ? found.path : undefined;
  }

  async #answer(build: PluginBuild, args: OnResolveArgs): Promise<OnResolveResult | undefined> {
    const { path: specifier, importer, resolveDir, kind, namespace } = args;
    const isOurs = isBuiltin(specifier) || SDK_FILTER.test(specifier) || specifier.startsWith("#");
    if (isOurs || kind === "entry-point" || namespace !== "file" || path.isAbsolute(specifier))
      return undefined;
    if (installedFrom(packageOf(specifier), resolveDir) === undefined) return undefined;
    const answer = await build.resolve(specifier, { importer, resolveDir, kind, pluginData: PASS });
    if (!answer.external && !this.#listed.has(packageOf(specifier))) return undefined;
    const file = await this.behind(specifier, importer);
    if (file === undefined)
      return this.#listed.has(packageOf(specifier)) ? { path: specifier, external: true } : undefined;
    if (!this.#listed.has(packageOf(specifier))) return { path: file };
    this.#found.push({ specifier, importer, file });
    return { path: specifier, external: true };
  }
}
