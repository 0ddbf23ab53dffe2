import { withResolver } from "../bundle/resolver.js";
import { allAgents } from "../discovery/index.js";
import { EvaluationChild, evaluateBundleable, type ToolFacts, type ToolModule } from "../evaluate/index.js";
import { definitionFindings } from "../findings/definitions.js";
import { driftFindings } from "../findings/drift.js";
import { installedFrom } from "../resolve/installed.js";
import { LOCK_FILE, readLock } from "../ids-lock/index.js";
import { buildManifest, type Manifest } from "../manifest/index.js";
import { sortDiagnostics, summarise } from "../reporters/order.js";
import type { Diagnostic } from "../types.js";
import type { CheckResult } from "./build.js";
import { makeBundles, type Bundles } from "./bundles.js";
import { CompilerError, shownPath } from "./compiler-error.js";
import { createContext, type BuildContext } from "./context.js";
import { findingsOf } from "./findings.js";
import type { ResolvedOptions } from "./options.js";
import { ServerEvaluation } from "./server-evaluation.js";

/** The result of compiling an app in memory. */
export interface Compilation {
  context: BuildContext;
  bundles: Bundles;
  /** Sorted. */
  diagnostics: Diagnostic[];
  manifest: Manifest;
}

/**
 * Compiles an app: everything but writing the output. `meanwhile` is called when both bundles are made, while tools
 * are still being evaluated.
 */
export async function compile(
  options: ResolvedOptions,
  meanwhile?: (context: BuildContext, bundles: Bundles) => void,
): Promise<Compilation> {
  const context = createContext(options);
  const { session, caches } = context;
  const tools = toolModules(context);
  const evaluates = options.evaluate && tools.length > 0;
  const child = evaluates && caches?.facts.filled !== true ? startChild(context) : undefined;
  try {
    return await withResolver(session.root, session.sdk, async (resolve) => {
      const { agent } = context.discovery;
      const cache = caches === undefined ? {} : { cache: caches.facts };
      const evaluation = evaluates
        ? new ServerEvaluation({ session, resolve, agent, tools, ...cache }, child)
        : undefined;
      try {
        const bundles = await makeBundles(context, resolve, async (bundle) => evaluation?.start(bundle));
        const found = await findingsOf(context, bundles);
        meanwhile?.(context, bundles);
        caches?.analyses.save();
        const isWhole = bundles.server.bundle !== undefined;
        const facts =
          evaluation === undefined
            ? new Map<string, ToolFacts>()
            : isWhole
              ? await evaluation.facts()
              : await evaluateBundleable({ session, resolve }, faultless(tools, context, found));
        found.push(...definitionFindings(session.store, tools, facts, found));
        const locked = readLock(session.root);
        if (options.frozenIds) found.push(...frozenFindings(context, locked));
        const manifest = buildManifest({
          agent,
          modules: session.store.analysed(),
          entryPoints: bundles.entryPoints,
          facts,
          aliases: locked?.lock.aliases ?? {},
          nameOf: context.nameOf,
        });
        return { context, bundles, diagnostics: sortDiagnostics(found), manifest };
      } finally {
        evaluation?.dispose();
      }
    });
  } finally {
    child?.dispose();
    caches?.analyses.save();
    caches?.facts.save();
  }
}

const ZOD_IMPORT = /\bfrom\s*["']zod["']/;

/** A child that waits for the server bundle, and loads zod meanwhile if that will most likely import it. */
function startChild({ session, discovery }: BuildContext): EvaluationChild {
  const tools = allAgents(discovery.agent).flatMap((agent) => agent.tools);
  const usesZod = tools.some(({ file }) => ZOD_IMPORT.test(session.store.text(file)));
  const isInstalled = usesZod && installedFrom("zod", session.root) !== undefined;
  return new EvaluationChild(session.root, isInstalled ? ["zod"] : []);
}

/** Ids that drifted from the lock file. */
function frozenFindings({ session }: BuildContext, locked: ReturnType<typeof readLock>): Diagnostic[] {
  if (locked === undefined) {
    throw new CompilerError("BAD_IDS_LOCK", `There is no ${LOCK_FILE} in ${shownPath(session.root)}.`, {
      help: "Run eve ids lock and commit the file, or build without --frozen-ids.",
    });
  }
  return driftFindings(session.store.analysed(), locked).diagnostics;
}

/** All tool modules, keyed by their path. */
function toolModules({ discovery }: BuildContext): ToolModule[] {
  return allAgents(discovery.agent)
    .flatMap(({ tools }) => tools)
    .map(({ file }) => ({ key: file, file }));
}

/** Tool modules without errors of their own. */
function faultless(
  tools: readonly ToolModule[],
  { session }: BuildContext,
  found: readonly Diagnostic[],
): ToolModule[] {
  const faulty = new Set(found.filter(({ severity }) => severity === "error").map(({ file }) => file));
  return tools.filter(({ file }) => !faulty.has(session.store.module(file).file));
}

/** What callers are told of a compilation. */
export function resultOf({ context, diagnostics, manifest }: Compilation): CheckResult {
  const summary = summarise(diagnostics);
  return { ok: summary.errors === 0, root: context.session.root, diagnostics, summary, manifest };
}
