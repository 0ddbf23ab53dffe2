import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Bundle } from "../bundle/bundle.js";
import { systemCode } from "../build/compiler-error.js";
import { esbuild, type Metafile } from "../bundle/esbuild.js";
import { installedFrom, packageOf } from "../resolve/installed.js";
import { nodeGlobalsPlugin } from "../bundle/node-globals.js";
import { nodeOptions } from "../bundle/server-bundle.js";
import { isBuildFailure } from "../bundle/messages.js";
import type { BundleSession } from "../bundle/session.js";
import type { AgentFiles } from "../discovery/agent-files.js";
import { stepPlugin } from "../bundle/step-plugin.js";
import type { Resolve } from "../resolve/resolution.js";
import { EvaluationChild, type ChildAnswer } from "./child.js";
import type { ToolFacts } from "./describe.js";
import { evaluationEntry, serverEvaluation, type ToolModule } from "./entry.js";

/** Remembers answers by what was evaluated. */
export interface EvaluationCache {
  get(key: string): [string, ToolFacts][] | undefined;
  set(key: string, facts: [string, ToolFacts][]): void;
}

export interface EvaluateOptions {
  session: BundleSession;
  resolve: Resolve;
  agent: AgentFiles;
  tools: readonly ToolModule[];
  /** The server bundle, which holds the tools. */
  server: Bundle;
  /** Aborted when another bundle takes the place of this one: the answer isn't wanted any more. */
  signal: AbortSignal;
  /** Called when this process has nothing left to do for a while but to wait. */
  onFed: () => void;
  cache?: EvaluationCache;
  /** A child that was started ahead of time, while there was nothing to feed it yet. */
  child?: EvaluationChild;
}

/**
 * Evaluates tool modules in a child process and tells what their definitions say, by key. The server bundle is
 * evaluated as it is; only if that fails, the tools are bundled apart to find out which of them it is.
 */
export async function evaluateTools(options: EvaluateOptions): Promise<Map<string, ToolFacts>> {
  const { session, tools, cache } = options;
  if (tools.length === 0) return new Map();
  const whole = serverBundle(options);
  if (whole !== undefined) {
    const key = evaluationKey(whole, session.root);
    const known = cache?.get(key);
    if (known !== undefined) return new Map(known);
    const child = options.child ?? new EvaluationChild(session.root);
    options.signal.addEventListener("abort", () => child.dispose());
    const answer = await child.evaluate(whole.text, options.onFed);
    if (options.signal.aborted) return new Map();
    if (answer.kind === "facts") {
      cache?.set(key, answer.facts);
      return new Map(answer.facts);
    }
  }
  return new Map(await evaluateApart(options));
}

/**
 * Evaluates tools of an app that gives no server bundle, for the sake of their findings: together if they can be
 * bundled, else one by one, without those that can't.
 */
export async function evaluateBundleable(
  options: Pick<EvaluateOptions, "session" | "resolve">,
  tools: readonly ToolModule[],
): Promise<Map<string, ToolFacts>> {
  if (tools.length === 0) return new Map();
  try {
    return new Map(await evaluateApart({ ...options, tools }));
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    if (tools.length === 1) return new Map(); // why it can't be bundled is reported with the bundle
  }
  const facts = new Map<string, ToolFacts>();
  for (const tool of tools) {
    for (const [key, told] of await evaluateBundleable(options, [tool])) facts.set(key, told);
  }
  return facts;
}

/** The server bundle as something to evaluate in the app root, if it finds its packages from there. */
function serverBundle({ session, server, agent }: EvaluateOptions): EvaluationBundle | undefined {
  if (!session.outDir.startsWith(session.root + path.sep)) return undefined;
  const text = serverEvaluation(server.code, agent);
  return text === undefined ? undefined : { text, externals: externalsOf(server.metafile) };
}

type ApartOptions = Pick<EvaluateOptions, "session" | "resolve" | "tools">;

/** All tools at once, each loaded on its own; if that process dies, one process for each tool. */
async function evaluateApart(options: ApartOptions): Promise<[string, ToolFacts][]> {
  const all = await evaluateSome(options, options.tools);
  if (!("failure" in all)) return all.facts;
  const facts: [string, ToolFacts][] = [];
  for (const tool of options.tools) {
    const one = options.tools.length === 1 ? all : await evaluateSome(options, [tool]);
    if ("failure" in one) facts.push([tool.key, failed(one.failure)]);
    else facts.push(...one.facts);
  }
  return facts;
}

type Failure = Exclude<ChildAnswer, { kind: "facts" }>;

async function evaluateSome(
  options: ApartOptions,
  tools: readonly ToolModule[],
): Promise<{ facts: [string, ToolFacts][] } | { failure: Failure }> {
  const { text } = await bundleForEvaluation(options, tools);
  const answer = await new EvaluationChild(options.session.root).evaluate(text);
  return answer.kind === "facts" ? { facts: answer.facts } : { failure: answer };
}

function failed(failure: Failure): ToolFacts {
  const message = failure.kind === "timeout" ? "it took longer than 10 s" : failure.reason;
  return { kind: "failed", name: "Error", message };
}

interface EvaluationBundle {
  text: string;
  externals: string[];
}

async function bundleForEvaluation(
  { session, resolve }: ApartOptions,
  tools: readonly ToolModule[],
): Promise<EvaluationBundle> {
  const { outputFiles = [], metafile } = await esbuild.build({
    ...nodeOptions(session, evaluationEntry(tools), "eve-entry:evaluation"),
    sourcemap: false,
    legalComments: "none",
    plugins: [nodeGlobalsPlugin, stepPlugin({ session, resolve, runsIn: session.root, transform: "none" })],
  });
  return { text: outputFiles[0]?.text ?? "", externals: externalsOf(metafile) };
}

function externalsOf(metafile: Metafile | undefined): string[] {
  const outputs = Object.values(metafile?.outputs ?? {});
  const external = outputs.flatMap((output) =>
    output.imports.filter((item) => item.external).map((item) => item.path),
  );
  return [...new Set(external)].sort();
}

/** What the answer depends on: the code, the versions of packages it imports, the release of Node.js. */
function evaluationKey({ text, externals }: EvaluationBundle, root: string): string {
  const hash = createHash("sha256").update(process.version).update("\0").update(text);
  for (const specifier of [...externals, "zod"]) {
    if (specifier.startsWith("node:")) continue;
    const holder = installedFrom(packageOf(specifier), root);
    if (holder === undefined) continue;
    hash
      .update(`\0${specifier}\0`)
      .update(manifestText(path.join(holder, "node_modules", packageOf(specifier))));
  }
  return hash.digest("hex");
}

function manifestText(dir: string): string {
  try {
    return readFileSync(path.join(dir, "package.json"), "utf8");
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    return "";
  }
}
