import path from "node:path";
import type { Bundle, BundleOutcome } from "../bundle/bundle.js";
import type { Metafile } from "../bundle/esbuild.js";
import type { BundleSession } from "../bundle/session.js";
import { bundleServer } from "../bundle/server-bundle.js";
import { serverEntry } from "../bundle/server-entry.js";
import { bundleWorkflows } from "../bundle/workflow-bundle.js";
import { entryPointOf, type EntryPoint } from "../graph/entry-points.js";
import type { SourceModule } from "../graph/source-module.js";
import { CODE_FILE, isCompiled } from "../graph/targets.js";
import { isVirtual } from "../bundle/canonical.js";
import { crawl, type GraphEntry, type WorkflowGraph } from "../graph/workflow-graph.js";
import { allAgents } from "../discovery/index.js";
import {
  filesWithDirectives,
  holdsPublishedDirective,
  installedPackageDir,
} from "../resolve/package-scan.js";
import { resolveSdk, SDK_FILTER } from "../resolve/sdk.js";
import type { Resolve } from "../resolve/resolution.js";
import type { BuildContext } from "./context.js";

/** Both bundles and what they were made from. */
export interface Bundles {
  graph: WorkflowGraph;
  /** By the tool module's absolute path. */
  entryPoints: Map<string, EntryPoint>;
  workflow: BundleOutcome;
  server: BundleOutcome;
}

/**
 * Crawls the bodies and bundles both sides. Each side may show the other one more: modules with workflows or classes
 * that only steps import, packages with directives behind packages without. Then both are bundled again, until
 * nothing new turns up. `onServer` gets each server bundle as soon as it is there; the last one is the one that counts.
 */
export async function makeBundles(
  context: BuildContext,
  resolve: Resolve,
  onServer: (bundle: Bundle) => Promise<void>,
): Promise<Bundles> {
  const { session, discovery } = context;
  const { store, scan } = session;
  const { entryPoints, entries } = await startingPoints(context, resolve);
  const known = new Set<string>();
  for (;;) {
    const graph = await crawl([...entries.values()], store, resolve, scan);
    for (const { path: file } of store.analysed().filter(isCompiledCode)) known.add(file);
    const stepModules = [...graph.modules.values()]
      .map(({ module }) => module)
      .filter((module) => holdsStep(module) || holdsClass(module))
      .sort((a, b) => (a.file < b.file ? -1 : 1))
      .map((module) => module.path);
    const entry = serverEntry(session.root, discovery.agent, stepModules, store.packages);
    const [workflow, server] = await Promise.all([
      bundleWorkflows(session, graph),
      bundleServerOf(context, entry, resolve, known, onServer),
    ]);
    const more = store
      .analysed()
      .filter((module) => holdsWorkflow(module) || holdsClass(module))
      .filter((module) => !graph.modules.has(module.path));
    for (const { path: file } of more) entries.set(file, { path: file, exports: "none" });
    const hidden = uncompiledFiles(workflow.bundle?.metafile, context, graph);
    for (const { file, dir } of hidden) {
      scan.mark(dir);
      // Its importer isn't compiled, so nothing is known of what it needs.
      entries.set(file, { path: file, exports: "all" });
    }
    if (more.length === 0 && hidden.length === 0) return { graph, entryPoints, workflow, server };
  }
}

/**
 * Bundles the server, letting esbuild load by itself all modules that aren't known to need the compiler. If some
 * of those turn out to need it after all, or the bundle fails (then nothing tells what was loaded), it is made again
 * with every module passing through the compiler.
 */
async function bundleServerOf(
  { session }: BuildContext,
  entry: string,
  resolve: Resolve,
  known: ReadonlySet<string>,
  onServer: (bundle: Bundle) => Promise<void>,
): Promise<BundleOutcome> {
  const first = await bundleServer(session, entry, resolve, { known: [...known] });
  if (first.bundle !== undefined) {
    await onServer(first.bundle);
    const missed = Object.keys(first.bundle.metafile.inputs)
      .filter((input) => !isVirtual(input))
      .map((input) => path.resolve(session.root, input))
      .filter((file) => isCompiled(file, session.scan) && !file.startsWith(session.sdk.dir + path.sep))
      .filter((file) => !known.has(file) && session.store.mayNeedCompiler(file))
      .filter((file) => needsCompiler(session.store.module(file)));
    if (missed.length === 0) return first;
  }
  const second = await bundleServer(session, entry, resolve, "all");
  if (second.bundle !== undefined) await onServer(second.bundle);
  return second;
}

/** Whether a module that may need the compiler does, or is reported. */
function needsCompiler(module: SourceModule): boolean {
  return isCompiledCode(module) || module.analysis.diagnostics.length > 0;
}

async function startingPoints(
  { session, discovery }: BuildContext,
  resolve: Resolve,
): Promise<{ entryPoints: Map<string, EntryPoint>; entries: Map<string, GraphEntry> }> {
  const { store, scan } = session;
  const entryPoints = new Map<string, EntryPoint>();
  const entries = new Map<string, GraphEntry>();
  for (const { file } of allAgents(discovery.agent).flatMap(({ tools }) => tools)) {
    const module = store.module(file);
    if (holdsWorkflow(module)) entries.set(file, { path: file, exports: "none" });
    const entry = await entryPointOf(module, store, resolve, scan);
    if (entry === undefined) continue;
    entryPoints.set(file, entry);
    entries.set(entry.module.path, { path: entry.module.path, exports: "none" });
  }
  const tools = allAgents(discovery.agent).flatMap((agent) =>
    agent.tools.map(({ file }) => store.module(file)),
  );
  for (const own of providedWorkflows(tools, session)) entries.set(own, { path: own, exports: "none" });
  return { entryPoints, entries };
}

/** Modules of eve with workflows that tool modules get their definitions from, such as provided tools. */
function providedWorkflows(tools: readonly SourceModule[], { sdk, store }: BundleSession): string[] {
  const specifiers = new Set(
    tools.flatMap(({ analysis }) =>
      analysis.imports
        .filter(({ specifier, typeOnly }) => !typeOnly && SDK_FILTER.test(specifier))
        .map(({ specifier }) => specifier),
    ),
  );
  return [...specifiers].sort().flatMap((specifier) => {
    const answer = resolveSdk(sdk, specifier, "step");
    if (!("file" in answer)) return [];
    return [...filesWithDirectives(answer.file, sdk.dir)].filter((file) => holdsWorkflow(store.module(file)));
  });
}

const holdsClass = (module: SourceModule): boolean => module.analysis.classes.length > 0;
const isCompiledCode = (module: SourceModule): boolean =>
  module.analysis.directives.length > 0 || holdsClass(module);
const holdsStep = (module: SourceModule): boolean =>
  module.analysis.directives.some(({ kind }) => kind === "step");
const holdsWorkflow = (module: SourceModule): boolean =>
  module.analysis.directives.some(({ kind }) => kind === "workflow");

/** Files of installed packages in a bundle whose directives nobody has compiled, sorted. */
function uncompiledFiles(
  metafile: Metafile | undefined,
  { session }: BuildContext,
  graph: WorkflowGraph,
): { file: string; dir: string }[] {
  const files = Object.keys(metafile?.inputs ?? {}).map((input) => path.resolve(session.root, input));
  return files.sort().flatMap((file) => {
    if (!session.scan.isInstalled(file) || !CODE_FILE.test(file) || graph.modules.has(file)) return [];
    const dir = installedPackageDir(file);
    if (dir === undefined || file.startsWith(session.sdk.dir + path.sep)) return [];
    return holdsPublishedDirective(session.store.text(file)) ? [{ file, dir }] : [];
  });
}
