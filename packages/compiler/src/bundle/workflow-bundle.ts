import path from "node:path";
import type { WorkflowGraph } from "../graph/workflow-graph.js";
import { functionId, moduleId } from "../ids/index.js";
import { specifierFrom } from "../resolve/identity.js";
import type { BundleOutcome } from "./bundle.js";
import { canonicalCode, canonicalMap, renamings } from "./canonical.js";
import { esbuild, type BuildOptions } from "./esbuild.js";
import { isBuildFailure } from "./messages.js";
import type { BundleSession } from "./session.js";
import { BUNDLE_CONDITIONS, MAIN_FIELDS, TARGET, WORKFLOW_FILE } from "./settings.js";
import { workflowPlugin } from "./workflow-plugin.js";

const ENTRY = "eve-entry:workflow";

/**
 * Bundles the bodies. Every workflow is registered as a function that evaluates its module when it is first
 * called, so that a run pays only for the code of its own workflow.
 */
export async function bundleWorkflows(session: BundleSession, graph: WorkflowGraph): Promise<BundleOutcome> {
  const { root, outDir, nameOf, minify, keepNames } = session;
  const options: BuildOptions = {
    absWorkingDir: root,
    stdin: { contents: entryText(graph, root), resolveDir: root, sourcefile: ENTRY, loader: "js" },
    outfile: path.join(outDir, WORKFLOW_FILE),
    bundle: true,
    write: false,
    metafile: true,
    format: "cjs",
    platform: "neutral",
    mainFields: MAIN_FIELDS,
    conditions: BUNDLE_CONDITIONS,
    target: TARGET,
    define: { "process.env.NODE_ENV": '"production"' },
    sourcemap: "linked",
    sourcesContent: true,
    legalComments: "inline",
    charset: "utf8",
    logLevel: "silent",
    minify,
    keepNames,
    plugins: [workflowPlugin(session, graph)],
  };
  try {
    const { outputFiles = [], metafile, warnings } = await esbuild.build(options);
    const text = (suffix: string): string =>
      outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? "";
    if (metafile === undefined) throw new Error("esbuild gave no metafile");
    return {
      bundle: {
        code: canonicalCode(text(".cjs"), renamings(metafile, root, nameOf)),
        map: canonicalMap(text(".map"), outDir, nameOf),
        metafile,
      },
      messages: warnings,
    };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return { messages: error.errors };
  }
}

/** The text of the entry: a table of workflow ids and the modules that hold them, relative to the root. */
function entryText(graph: WorkflowGraph, root: string): string {
  const rows: [id: string, file: string][] = [];
  for (const { module } of graph.modules.values()) {
    for (const { kind, name } of module.analysis.directives) {
      if (kind === "workflow")
        rows.push([functionId("workflow", moduleId(module.identity), name), module.path]);
    }
  }
  rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `
const workflows = (globalThis.__private_workflows = new Map());
function register(id, load) {
  const forward = (...args) => {
    load();
    return workflows.get(id)(...args);
  };
  forward.workflowId = id;
  workflows.set(id, forward);
}
${rows.map(([id, file]) => `register(${JSON.stringify(id)}, () => require(${JSON.stringify(specifierFrom(root, file))}));`).join("\n")}
`;
}
