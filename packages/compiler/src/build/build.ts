import { readSdk, locateSdk } from "../resolve/sdk.js";
import { LastBuildCache } from "../cache/last-build.js";
import type { Manifest } from "../manifest/manifest.js";
import { summarise, type Summary } from "../reporters/order.js";
import type { Diagnostic } from "../types.js";
import { resolveOptions, type BuildOptions, type CheckOptions, type ResolvedOptions } from "./options.js";

/** What a check found. */
export interface CheckResult {
  /** No finding of severity error. */
  ok: boolean;
  /** Absolute app root. Paths in `diagnostics` are relative to it. */
  root: string;
  diagnostics: Diagnostic[];
  summary: Summary;
  manifest: Manifest;
}

/** What a build found and wrote. */
export interface BuildResult extends CheckResult {
  /** Absolute output folder. */
  outDir: string;
  /** Names of the files that were written; empty when nothing changed, or when there are errors. */
  written: string[];
  /** Absent when there are errors. */
  buildId?: string;
}

/**
 * Compiles an app and publishes the result to its output folder. With findings of severity error nothing
 * is written and the last output stays. When nothing changed since the last build, nothing is done.
 *
 * ```ts
 * const result = await build({ root: "/srv/shop" });
 * if (!result.ok) process.stderr.write(formatPretty(result.diagnostics, { root: result.root }));
 * ```
 * @throws CompilerError when the app can't be compiled at all, or the output can't be written.
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const resolved = resolveOptions(options);
  const last = resolved.cache ? new LastBuildCache(resolved.cacheDir, stampOf(resolved)) : undefined;
  const { root, outDir } = resolved;
  const known = last?.find(root, outDir);
  if (known !== undefined) {
    const { diagnostics, manifest, buildId } = known;
    const summary = summarise(diagnostics);
    return { ok: true, root, diagnostics, summary, manifest, outDir, written: [], buildId };
  }
  // The compiler proper is loaded only when there is something to compile.
  const { compileAndPublish } = await import("./compile-and-publish.js");
  return compileAndPublish(resolved, last);
}

/**
 * Does all checks of `build` and writes nothing.
 * @throws CompilerError when the app can't be compiled at all.
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  const resolved = resolveOptions({ ...options, cache: false });
  const { compile, resultOf } = await import("./compile.js");
  return resultOf(await compile(resolved));
}

/** Whatever makes the result of an earlier build worthless. */
function stampOf(options: ResolvedOptions): string {
  const { root, outDir, external, evaluate, frozenIds, minify, keepNames, sdkDir } = options;
  const sdk = readSdk(sdkDir ?? locateSdk(root));
  const settings = { outDir, external: external.toSorted(), evaluate, frozenIds, minify, keepNames };
  return JSON.stringify([sdk.version, sdk.dir, process.version, root, settings]);
}
