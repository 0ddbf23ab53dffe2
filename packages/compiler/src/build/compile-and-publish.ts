import { statSync } from "node:fs";
import path from "node:path";
import { SERVER_FILE, WORKFLOW_FILE } from "../bundle/settings.js";
import { fingerprint, sha256, type Dependencies } from "../cache/fingerprint.js";
import type { LastBuildCache } from "../cache/last-build.js";
import { formatManifest } from "../manifest/index.js";
import { buildInfo, publish } from "../publish/index.js";
import type { BuildResult } from "./build.js";
import { compile, resultOf } from "./compile.js";
import { dependenciesOf } from "./dependencies.js";
import type { ResolvedOptions } from "./options.js";

/** Compiles and, without errors, publishes; remembers in `last` what was made from what. */
export async function compileAndPublish(
  options: ResolvedOptions,
  last: LastBuildCache | undefined,
): Promise<BuildResult> {
  const { outDir, minify, keepNames } = options;
  const started = Date.now();
  const compilation = await compile(options);
  const { context, bundles, manifest, diagnostics } = compilation;
  const checked = resultOf(compilation);
  const { workflow, server } = bundles;
  if (!checked.ok || workflow.bundle === undefined || server.bundle === undefined) {
    return { ...checked, outDir, written: [] };
  }
  const texts = {
    "manifest.json": formatManifest(manifest),
    [WORKFLOW_FILE]: workflow.bundle.code,
    [SERVER_FILE]: server.bundle.code,
  };
  const info = buildInfo(texts, context.session.sdk.version, { minify, keepNames });
  const outputs: Record<string, string> = {
    [`${WORKFLOW_FILE}.map`]: workflow.bundle.map,
    [`${SERVER_FILE}.map`]: server.bundle.map,
    ...texts,
    "build.json": `${JSON.stringify(info, undefined, 2)}\n`,
  };
  const files = Object.entries(outputs).map(([name, text]) => ({ name, text }));
  const written = await publish(outDir, files);
  const dependencies = last === undefined ? undefined : dependenciesOf(context, bundles);
  if (dependencies !== undefined && !changedSince(started, dependencies)) {
    last?.keep({
      fingerprint: fingerprint(context.session.root, dependencies),
      diagnostics,
      manifest,
      buildId: info.buildId,
      outputs: Object.fromEntries(files.map(({ name, text }) => [name, sha256(text)])),
    });
  }
  return { ...checked, outDir: path.resolve(outDir), written, buildId: info.buildId };
}

/** Whether a file was edited while it was being compiled: its present text may not be the one that was read. */
function changedSince(time: number, { files }: Dependencies): boolean {
  for (const file of files) {
    if ((statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= time) return true;
  }
  return false;
}
