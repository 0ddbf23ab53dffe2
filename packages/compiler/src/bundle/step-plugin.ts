import path from "node:path";
import { CODE_FILE } from "../graph/targets.js";
import { isBuiltin } from "../resolve/builtins.js";
import { isInSdk } from "../resolve/identity.js";
import type { Resolve } from "../resolve/resolution.js";
import { resolveSdk, SDK_FILTER } from "../resolve/sdk.js";
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild } from "./esbuild.js";
import { emitStepModule } from "./emit.js";
import { BARE, exactly } from "./filter.js";
import { installedFrom, packageOf } from "../resolve/installed.js";
import { PASS } from "./resolver.js";
import type { BundleSession } from "./session.js";
import { withTsconfig } from "./tsconfig.js";

/** Specifier prefix of modules that the server entry imports for effect. */
export const EFFECT = "eve-effect:";

export interface StepPluginOptions {
  session: BundleSession;
  /** Resolver with the conditions of the workflow bundle, for packages that are in both. */
  resolve: Resolve;
  /** Folder from which external packages must resolve to the same files as from their importers. */
  runsIn: string;
  /**
   * Which modules the compiler loads: those that are known to hold directives, any that may hold one (slower: each
   * module crosses to this process), or none, for reading definitions.
   */
  transform: { known: readonly string[] } | "all" | "none";
}

/**
 * The esbuild plugin of step mode: registers steps, keeps packages external where that is safe, compiles
 * packages that ship directives.
 */
export function stepPlugin(options: StepPluginOptions): Plugin {
  return {
    name: "eve-step",
    setup(build) {
      const { session, transform } = options;
      build.onResolve({ filter: new RegExp(`^${EFFECT}`) }, (args) => ({
        path: path.resolve(session.root, args.path.slice(EFFECT.length)),
        sideEffects: true,
        pluginData: EFFECT,
      }));
      const answer = bareResolver(build, options);
      build.onResolve({ filter: BARE }, (args) => (args.pluginData === PASS ? undefined : answer(args)));
      const known = new Set(typeof transform === "object" ? transform.known : []);
      const isKnown = (file: string): boolean => known.has(file) || session.store.peek(file) !== undefined;
      const filter = loadFilter(transform);
      if (filter === undefined) return;
      build.onLoad({ filter, namespace: "file" }, (args) => {
        if (!CODE_FILE.test(args.path)) return undefined;
        if (session.scan.isInstalled(args.path) && !session.scan.ships(args.path)) return undefined;
        if (!session.store.mayNeedCompiler(args.path)) return undefined;
        if (isInSdk(args.path, session.sdk.dir) && !isKnown(args.path)) return undefined;
        const loaded = emitStepModule(session.store.module(args.path));
        // esbuild forgets the tsconfig of a file whose path a plugin gave.
        const isBare = args.pluginData === EFFECT && !session.scan.isInstalled(args.path);
        return isBare ? withTsconfig(loaded, args.path) : loaded;
      });
    },
  };
}

function loadFilter(transform: StepPluginOptions["transform"]): RegExp | undefined {
  if (transform === "all") return /\.[cm]?[jt]sx?$/;
  if (transform === "none" || transform.known.length === 0) return undefined;
  return exactly(transform.known);
}

type Answer = OnResolveResult | undefined;

/** Decides once per package and importing folder what a bare import becomes. */
function bareResolver(
  build: PluginBuild,
  { session, resolve, runsIn }: StepPluginOptions,
): (args: OnResolveArgs) => Promise<Answer> | Answer {
  const decided = new Map<string, Promise<Answer>>();
  return (args) => {
    const specifier = args.path;
    if (args.kind === "entry-point" || specifier.startsWith("#") || path.isAbsolute(specifier))
      return undefined;
    if (isBuiltin(specifier)) return undefined;
    if (SDK_FILTER.test(specifier)) {
      const own = resolveSdk(session.sdk, specifier, "step");
      if ("file" in own) return { path: own.file };
    }
    const isForeign = session.scan.isInstalled(args.importer) && !isInSdk(args.importer, session.sdk.dir);
    if (isForeign && !session.scan.ships(args.importer)) return undefined;
    const key = `${specifier}\0${args.kind}\0${path.dirname(args.importer)}`;
    let answer = decided.get(key);
    if (answer === undefined) {
      answer = decide(specifier, args);
      decided.set(key, answer);
    }
    return answer;
  };

  async function decide(specifier: string, args: OnResolveArgs): Promise<Answer> {
    const dir = args.resolveDir;
    const name = packageOf(specifier);
    const holder = installedFrom(name, dir);
    if (holder === undefined) return undefined; // an alias, the package itself, or nothing: esbuild knows
    const found = await build.resolve(specifier, {
      importer: args.importer,
      resolveDir: dir,
      kind: args.kind,
      pluginData: PASS,
    });
    if (found.errors.length > 0) return { errors: found.errors };
    if (found.namespace !== "file" || found.external) return undefined;
    if (!session.scan.isInstalled(found.path)) return undefined; // of the workspace: bundled, as esbuild found it
    if (session.scan.ships(found.path)) {
      const shared = await resolve(
        specifier,
        args.importer,
        args.kind === "require-call" ? args.kind : "import-statement",
      );
      const differs = shared.kind === "file" && shared.path !== found.path;
      return differs ? { path: shared.path, sideEffects: found.sideEffects } : undefined;
    }
    if (session.external.has(name) || installedFrom(name, runsIn) === holder)
      return { path: specifier, external: true };
    return undefined; // out of reach of the output folder: bundled
  }
}
