import path from "node:path";
import { SERVER_FILE, WORKFLOW_FILE } from "../bundle/settings.js";
import { formatManifest, type Manifest } from "../manifest/index.js";
import { buildInfo, publish } from "../publish/index.js";
import { summarise, type Summary } from "../reporters/order.js";
import type { Diagnostic } from "../types.js";
import { compile, type Compilation } from "./compile.js";
import { resolveOptions, type BuildOptions, type CheckOptions } from "./options.js";

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
 * is written and the last output stays.
 *
 * ```ts
 * const result = await build({ root: "/srv/shop" });
 * if (!result.ok) process.stderr.write(formatPretty(result.diagnostics, { root: result.root }));
 * ```
 * @throws CompilerError when the app can't be compiled at all, or the output can't be written.
 */
export async function build(options: BuildOptions): Promise<BuildResult> {
  const resolved = resolveOptions(options);
  const compilation = await compile(resolved);
  const checked = resultOf(compilation);
  const { outDir, minify, keepNames } = resolved;
  const { workflow, server } = compilation.bundles;
  if (!checked.ok || workflow.bundle === undefined || server.bundle === undefined) {
    return { ...checked, outDir, written: [] };
  }
  const texts = {
    "manifest.json": formatManifest(compilation.manifest),
    [WORKFLOW_FILE]: workflow.bundle.code,
    [SERVER_FILE]: server.bundle.code,
  };
  const info = buildInfo(texts, compilation.context.session.sdk.version, { minify, keepNames });
  const written = await publish(outDir, [
    { name: `${WORKFLOW_FILE}.map`, text: workflow.bundle.map },
    { name: `${SERVER_FILE}.map`, text: server.bundle.map },
    ...Object.entries(texts).map(([name, text]) => ({ name, text })),
    { name: "build.json", text: `${JSON.stringify(info, undefined, 2)}\n` },
  ]);
  return { ...checked, outDir, written, buildId: info.buildId };
}

/**
 * Does all checks of `build` and writes nothing.
 * @throws CompilerError when the app can't be compiled at all.
 */
export async function check(options: CheckOptions): Promise<CheckResult> {
  return resultOf(await compile(resolveOptions({ ...options, cache: false })));
}

function resultOf({ context, diagnostics, manifest }: Compilation): CheckResult {
  const summary = summarise(diagnostics);
  return {
    ok: summary.errors === 0,
    root: path.resolve(context.session.root),
    diagnostics,
    summary,
    manifest,
  };
}
