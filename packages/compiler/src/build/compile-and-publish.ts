import path from "node:path";
import { statSync } from "node:fs";
import { SERVER_FILE, WORKFLOW_FILE } from "../bundle/settings.js";
import { fingerprint, sha256, type Dependencies, type Fingerprint } from "../cache/fingerprint.js";
import type { LastBuildCache } from "../cache/last-build.js";
import { formatManifest } from "../manifest/index.js";
import { buildInfo, publish } from "../publish/index.js";
import type { BuildResult } from "./build.js";
import { compile, resultOf, type Compilation } from "./compile.js";
import { dependenciesOf } from "./dependencies.js";
import type { ResolvedOptions } from "./options.js";

/** The result of a build, and what it depended on. */
export interface Published {
  result: BuildResult;
  dependencies: Dependencies;
  /** When compiling began, in ms since 1970; see `changedSince`. */
  started: number;
}

/** Compiles and, without errors, publishes; remembers in `last` what was made from what. */
export async function compileAndPublish(
  options: ResolvedOptions,
  last: LastBuildCache | undefined,
): Promise<Published> {
  const { outDir, minify, keepNames } = options;
  // Files of this very millisecond were written before the first of them is read, some milliseconds from now.
  const started = Date.now() + 1;
  let dependencies: Dependencies | undefined;
  let state: Fingerprint | undefined;
  const compilation = await compile(options, (ofContext, ofBundles) => {
    dependencies = dependenciesOf(ofContext, ofBundles);
    const { root, store } = ofContext.session;
    if (last !== undefined) state = fingerprint(root, dependencies, (file) => store.known(file));
  });
  if (dependencies === undefined) throw new Error("the compilation ended before its bundles were made");
  const { context, bundles, manifest, diagnostics } = compilation;
  const checked = resultOf(compilation);
  const { workflow, server } = bundles;
  if (!checked.ok || workflow.bundle === undefined || server.bundle === undefined) {
    const result = { ...checked, outDir, written: [] };
    return { result, dependencies, started };
  }
  const texts = {
    "manifest.json": formatManifest(manifest),
    [WORKFLOW_FILE]: workflow.bundle.code,
    [SERVER_FILE]: server.bundle.code,
  };
  const { buildId, ...info } = buildInfo(texts, context.session.sdk.version, { minify, keepNames });
  const outputs: Record<string, string> = {
    [`${WORKFLOW_FILE}.map`]: workflow.bundle.map,
    [`${SERVER_FILE}.map`]: server.bundle.map,
    ...texts,
    "build.json": `${JSON.stringify({ ...info, buildId }, undefined, 2)}\n`,
  };
  const files = Object.entries(outputs).map(([name, text]) => ({ name, text }));
  const written = await publish(outDir, files);
  if (state !== undefined && !changedSince(started, dependencies)) {
    last?.keep({
      fingerprint: state,
      diagnostics,
      manifest,
      buildId,
      outputs: Object.fromEntries(files.map(({ name, text }) => [name, sha256(text)])),
    });
  }
  const result: BuildResult = { ...checked, outDir, written, buildId };
  if (options.reportDir !== undefined)
    result.report = await writeReport(compilation, buildId, options.reportDir);
  return { result, dependencies, started };
}

/** Writes the report beside the output; returns the path of its page. */
async function writeReport(compilation: Compilation, buildId: string, dir: string): Promise<string> {
  const { buildReport, formatReportHtml } = await import("../report/index.js");
  const report = buildReport(compilation, buildId);
  await publish(dir, [
    { name: "report.json", text: `${JSON.stringify(report, undefined, 2)}\n` },
    { name: "index.html", text: formatReportHtml(report) },
  ]);
  return path.join(dir, "index.html");
}

/**
 * Whether a file was edited while it was being compiled: its present text may not be the one that was read. Times
 * that lie ahead say nothing.
 */
export function changedSince(time: number, { files }: Dependencies): boolean {
  for (const file of files) {
    const edited = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (edited >= time && edited <= Date.now()) return true;
  }
  return false;
}
