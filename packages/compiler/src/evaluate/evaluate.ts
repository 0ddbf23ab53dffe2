import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";
import { esbuild, type Metafile } from "../bundle/esbuild.js";
import { isBuildFailure } from "../bundle/messages.js";
import { installedFrom, packageOf } from "../bundle/resolver.js";
import { nodeOptions } from "../bundle/server-bundle.js";
import type { BundleSession } from "../bundle/session.js";
import { stepPlugin } from "../bundle/step-plugin.js";
import type { Resolve } from "../resolve/resolution.js";
import { EvaluationChild, type ChildAnswer } from "./child.js";
import type { ToolFacts } from "./describe.js";
import { evaluationEntry, type ToolModule } from "./entry.js";

/** Remembers answers by what was evaluated. */
export interface EvaluationCache {
  get(key: string): [string, ToolFacts][] | undefined;
  set(key: string, facts: [string, ToolFacts][]): void;
}

export interface EvaluateOptions {
  session: BundleSession;
  resolve: Resolve;
  tools: readonly ToolModule[];
  cache?: EvaluationCache;
  /** A child that was started ahead of time, while there was nothing to feed it yet. */
  child?: EvaluationChild;
}

/**
 * Evaluates tool modules in a child process and tells what their definitions say, by key. `undefined` when they
 * can't be bundled: the server bundle reports why.
 */
export async function evaluateTools(options: EvaluateOptions): Promise<Map<string, ToolFacts> | undefined> {
  const { session, tools, cache, child } = options;
  if (tools.length === 0) {
    child?.dispose();
    return new Map();
  }
  const code = await bundleForEvaluation(options, tools);
  const key = code === undefined ? undefined : evaluationKey(code, session.root);
  const known = key === undefined ? undefined : cache?.get(key);
  if (code === undefined || known !== undefined) {
    child?.dispose();
    return known === undefined ? undefined : new Map(known);
  }
  const answer = await (child ?? new EvaluationChild(session.root)).evaluate(code.text);
  const facts = answer.kind === "facts" ? answer.facts : await evaluateApart(options, answer);
  if (key !== undefined && answer.kind === "facts") cache?.set(key, facts);
  return new Map(facts);
}

/** One process for each tool, after one for all of them died: finds out whose fault it was. */
async function evaluateApart(
  options: EvaluateOptions,
  failure: Exclude<ChildAnswer, { kind: "facts" }>,
): Promise<[string, ToolFacts][]> {
  const { session, tools } = options;
  const [only, ...more] = tools;
  if (only !== undefined && more.length === 0) return [[only.key, failed(failure)]];
  const facts: [string, ToolFacts][] = [];
  for (const tool of tools) {
    const code = await bundleForEvaluation(options, [tool]);
    if (code === undefined) continue;
    const answer = await new EvaluationChild(session.root).evaluate(code.text);
    facts.push(
      ...(answer.kind === "facts" ? answer.facts : ([[tool.key, failed(answer)]] as [string, ToolFacts][])),
    );
  }
  return facts;
}

function failed(answer: Exclude<ChildAnswer, { kind: "facts" }>): ToolFacts {
  const message = answer.kind === "timeout" ? "it took longer than 10 s" : answer.reason;
  return { kind: "failed", name: "Error", message };
}

interface EvaluationBundle {
  text: string;
  externals: string[];
}

async function bundleForEvaluation(
  { session, resolve }: EvaluateOptions,
  tools: readonly ToolModule[],
): Promise<EvaluationBundle | undefined> {
  try {
    const { outputFiles = [], metafile } = await esbuild.build({
      ...nodeOptions(session, evaluationEntry(tools), "eve-entry:evaluation"),
      sourcemap: false,
      legalComments: "none",
      plugins: [stepPlugin({ session, resolve, runsIn: session.root, transform: false })],
    });
    return { text: outputFiles[0]?.text ?? "", externals: externalsOf(metafile) };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return undefined; // the server bundle loads the same modules and reports the same faults
  }
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
