import { realpathSync } from "node:fs";
import path from "node:path";
import type { PartialMessage, Plugin, PluginBuild } from "../bundle/esbuild.js";
import { PASS } from "../bundle/resolver.js";
import { stubFor } from "../bundle/stub.js";
import { functionId, moduleId } from "../ids/index.js";
import { sortDiagnostics } from "../reporters/order.js";
import { canonicalName } from "../resolve/identity.js";
import { packageOf } from "../resolve/installed.js";
import { PackageIndex } from "../resolve/packages.js";
import { locateSdk, readSdk, resolveSdk, SDK_FILTER, type Sdk } from "../resolve/sdk.js";
import { messageOf } from "./esbuild-messages.js";
import type { EveOptions, FunctionManifest } from "./esbuild-options.js";
import type { Run } from "./run.js";
import { StepRun } from "./step-run.js";
import { WorkflowRun } from "./workflow-run.js";

export type { EveOptions, FunctionManifest } from "./esbuild-options.js";

/**
 * The esbuild plugin: compiles modules with directives for one mode, in any esbuild set-up. Findings arrive as
 * messages of esbuild with code, place and notes.
 *
 * ```ts
 * await esbuild.build({
 *   entryPoints: ["src/workflows.ts"],
 *   bundle: true,
 *   outfile: "dist/workflows.cjs",
 *   format: "cjs",
 *   plugins: [eve({ mode: "workflow" })],
 * });
 * ```
 */
export function eve(options: EveOptions): Plugin {
  return {
    name: "eve",
    setup(build) {
      const { mode, external = [] } = options;
      const root = realpathSync(path.resolve(options.root ?? build.initialOptions.absWorkingDir ?? "."));
      const sdk = readSdk(options.sdk?.dir ?? locateSdk(root));
      build.initialOptions.metafile = true;
      answerSdk(build, sdk, options);
      const listed = new Set([...external, ...(build.initialOptions.external ?? [])]);
      const run =
        mode === "workflow" ? new WorkflowRun(build, root, sdk, listed) : new StepRun(root, sdk, listed);
      run.register(build);
      build.onStart(() => run.start());
      build.onEnd(async (result) => {
        const diagnostics = sortDiagnostics(await run.finish(result));
        options.onDiagnostics?.(diagnostics);
        const textOf = (file: string): string | undefined => run.textOf(path.resolve(root, file));
        const ofSeverity = (severity: string): PartialMessage[] =>
          diagnostics
            .filter((finding) => finding.severity === severity)
            .map((finding) => messageOf(finding, textOf));
        const [errors, warnings] = [ofSeverity("error"), ofSeverity("warning")];
        await print(build, errors, warnings);
        if (errors.length === 0 && result.errors.length === 0)
          options.manifest?.(functionsOf(run, root, sdk));
        return { errors, warnings };
      });
    },
  };
}

/** esbuild itself prints what its own passes find, but not what a plugin adds at the end of a build. */
async function print(
  build: PluginBuild,
  errors: readonly PartialMessage[],
  warnings: readonly PartialMessage[],
): Promise<void> {
  const { logLevel = "warning", color = process.stderr.isTTY } = build.initialOptions;
  const shown = async (kind: "error" | "warning", messages: readonly PartialMessage[]): Promise<void> => {
    const named = messages.map((message) => ({ pluginName: "eve", ...message }));
    const texts = await build.esbuild.formatMessages(named, { kind, color });
    process.stderr.write(texts.join(""));
  };
  if (errors.length > 0 && logLevel !== "silent") await shown("error", errors);
  if (warnings.length > 0 && !["silent", "error"].includes(logLevel)) await shown("warning", warnings);
}

function answerSdk(build: PluginBuild, sdk: Sdk, { mode, external = [] }: EveOptions): void {
  build.onResolve({ filter: SDK_FILTER }, (args) => {
    if (args.pluginData === PASS) return undefined;
    if (external.includes(packageOf(args.path))) return { path: args.path, external: true };
    const answer = resolveSdk(sdk, args.path, mode);
    if ("file" in answer) return { path: answer.file };
    return answer.fault === "host-api" ? stubFor("host-api", args) : undefined;
  });
}

function functionsOf(run: Run, root: string, sdk: Sdk): FunctionManifest {
  const manifest: FunctionManifest = { version: 1, workflows: {}, steps: {} };
  const packages = new PackageIndex();
  const rows = run.compiled().flatMap(({ path: file, identity, analysis }) =>
    analysis.directives.map(({ kind, name, line, column }) => ({
      kind,
      id: functionId(kind, moduleId(identity), name),
      entry: { file: canonicalName(file, root, packages, sdk.dir), line, column, name },
    })),
  );
  rows.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  for (const { kind, id, entry } of rows)
    (kind === "workflow" ? manifest.workflows : manifest.steps)[id] = entry;
  return manifest;
}
