import { baselineOf, readBaseline, withoutBaseline, writeBaseline } from "../baseline/index.js";
import path from "node:path";
import { readSdk, locateSdk } from "../resolve/sdk.js";
import { compilerStamp } from "../cache/compiler-stamp.js";
import { LastBuildCache } from "../cache/last-build.js";
import type { Manifest } from "../manifest/manifest.js";
import { summarise, type Summary } from "../reporters/order.js";
import type { Diagnostic } from "../types.js";
import { CompilerError, shownPath } from "./compiler-error.js";
import { membersOf, mergeDiagnostics, mergeManifests } from "./workspace.js";
import {
  resolveOptions,
  type BaselineOptions,
  type BuildOptions,
  type CheckOptions,
  type ResolvedOptions,
} from "./options.js";

/** What a check found. */
export interface CheckResult {
  /** No finding of severity error. */
  ok: boolean;
  /** Absolute app root. Paths in `diagnostics` are relative to it. */
  root: string;
  diagnostics: Diagnostic[];
  summary: Summary;
  manifest: Manifest;
  /** Number of findings that a baseline left out; absent without one. */
  known?: number;
}

/** What a build found and wrote. */
export interface BuildResult extends CheckResult {
  /** Absolute output folder. */
  outDir: string;
  /** Names of the files that were written; empty when nothing changed, or when there are errors. */
  written: string[];
  /** Absent when there are errors, and for a workspace. */
  buildId?: string;
  /** Absolute path of the report page, when one was asked for. */
  report?: string;
  /** For the root of an agent workspace: the results of its members, each with an output of its own. */
  members?: BuildResult[];
}

/**
 * Compiles an app and publishes the result to its output folder. With findings of severity error nothing
 * is written and the last output stays. When nothing changed since the last build, nothing is done.
 *
 * ```ts
 * const result = await build({ root: "/srv/shop" });
 * if (!result.ok) process.stderr.write(formatPretty(result.diagnostics, { root: result.root }));
 * ```
 * For the root of an agent workspace (`agents/<name>/agent/`), every member is built.
 *
 * @throws CompilerError when the app can't be compiled at all, or the output can't be written.
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const workspace = membersOf(options.root);
  if (workspace === undefined) return buildApp(options);
  const { root } = workspace;
  if (options.out !== undefined && path.isAbsolute(options.out)) {
    throw new CompilerError(
      "BAD_OPTION",
      `The members of ${shownPath(root)} can't all be built to ${shownPath(options.out)}.`,
      {
        help: "Give a folder relative to each member, or build one member.",
      },
    );
  }
  const members: BuildResult[] = [];
  for (const member of workspace.members) members.push(await buildApp({ ...options, root: member }));
  const written = members.flatMap((member) =>
    member.written.map((name) => `${path.basename(member.root)}/${name}`),
  );
  return { ...merged(root, members), outDir: root, written, members };
}

async function buildApp(options: BuildOptions): Promise<BuildResult> {
  const resolved = resolveOptions(options);
  const last = resolved.cache ? new LastBuildCache(resolved.cacheDir, stampOf(resolved)) : undefined;
  const { root, outDir } = resolved;
  const known = resolved.reportDir === undefined ? last?.find(root, outDir) : undefined;
  if (known !== undefined) {
    const { diagnostics, manifest, buildId } = known;
    const summary = summarise(diagnostics);
    return { ok: true, root, diagnostics, summary, manifest, outDir, written: [], buildId };
  }
  // The compiler proper is loaded only when there is something to compile.
  const { compileAndPublish } = await import("./compile-and-publish.js");
  return (await compileAndPublish(resolved, last)).result;
}

/**
 * Does all checks of `build` and writes nothing (but the baseline that is asked for).
 * @throws CompilerError when the app can't be compiled at all; `BAD_BASELINE`.
 */
export async function check(options: CheckOptions & BaselineOptions): Promise<CheckResult> {
  const { baseline, writeBaseline: target } = options;
  const known = baseline === undefined ? undefined : readBaseline(path.resolve(options.root, baseline));
  const result = await checkAll(options);
  if (target !== undefined) writeBaseline(path.resolve(options.root, target), baselineOf(result.diagnostics));
  if (known === undefined) return result;
  const { diagnostics, known: count } = withoutBaseline(result.diagnostics, known);
  const summary = summarise(diagnostics);
  return { ...result, ok: summary.errors === 0, diagnostics, summary, known: count };
}

async function checkAll(options: CheckOptions): Promise<CheckResult> {
  const workspace = membersOf(options.root);
  if (workspace === undefined) return checkApp(options);
  const members: CheckResult[] = [];
  for (const member of workspace.members) members.push(await checkApp({ ...options, root: member }));
  return merged(workspace.root, members);
}

/** One result out of those of a workspace's members. */
function merged(root: string, members: readonly CheckResult[]): CheckResult {
  const diagnostics = mergeDiagnostics(root, members);
  const summary = summarise(diagnostics);
  return { ok: summary.errors === 0, root, diagnostics, summary, manifest: mergeManifests(members) };
}

async function checkApp(options: CheckOptions): Promise<CheckResult> {
  const resolved = resolveOptions({ ...options, cache: false });
  const { compile, resultOf } = await import("./compile.js");
  return resultOf(await compile(resolved));
}

/** Whatever makes the result of an earlier build worthless. */
export function stampOf(options: ResolvedOptions): string {
  const { root, outDir, external, evaluate, frozenIds, minify, keepNames, sdkDir } = options;
  const sdk = readSdk(sdkDir ?? locateSdk(root));
  const settings = { outDir, external: external.toSorted(), evaluate, frozenIds, minify, keepNames };
  return JSON.stringify([compilerStamp(), sdk.version, sdk.dir, process.version, root, settings]);
}
