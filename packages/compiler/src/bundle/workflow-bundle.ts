import type { WorkflowGraph } from "../graph/workflow-graph.js";
import type { BundleOutcome } from "./bundle.js";
import { renamings, sourceNames } from "./canonical.js";
import { CHUNK_NAMES, readChunks, type Chunk } from "./chunks.js";
import { writeClosures } from "./closures.js";
import { esbuild, type BuildOptions, type Metafile } from "./esbuild.js";
import { isBuildFailure } from "./messages.js";
import type { BundleSession } from "./session.js";
import { BUNDLE_CONDITIONS, MAIN_FIELDS, TARGET, WORKFLOW_FILE } from "./settings.js";
import { entryPointsOf, workflowEntries } from "./workflow-entries.js";
import { workflowPlugin } from "./workflow-plugin.js";

/** What modules can do and closures can't: they are functions of a script. */
const SCRIPT = { "top-level-await": false, "import-meta": false };

/**
 * Bundles the bodies. What each workflow needs is divided into closures, one for all that the same workflows need, and
 * evaluated when one of these is first called: a run pays only for the code of its own workflow, and packages that
 * several use are there once.
 */
export async function bundleWorkflows(session: BundleSession, graph: WorkflowGraph): Promise<BundleOutcome> {
  const { root, outDir, nameOf, minify, keepNames, scan } = session;
  const entries = workflowEntries(graph, root, scan);
  const options = {
    absWorkingDir: root,
    entryPoints: entryPointsOf(entries),
    outdir: outDir,
    bundle: true,
    splitting: true,
    chunkNames: CHUNK_NAMES,
    write: false,
    metafile: true,
    format: "esm",
    platform: "neutral",
    mainFields: MAIN_FIELDS,
    conditions: BUNDLE_CONDITIONS,
    target: TARGET,
    supported: SCRIPT,
    define: { "process.env.NODE_ENV": '"production"' },
    sourcemap: "external",
    sourcesContent: true,
    legalComments: "inline",
    charset: "utf8",
    logLevel: "silent",
    minify,
    keepNames,
    plugins: [entries.plugin, workflowPlugin(session, graph)],
  } satisfies BuildOptions;
  try {
    const { outputFiles, metafile, warnings } = await esbuild.build(options);
    const names = [...new Set([...entries.workflows, ...entries.classes].map(([, entry]) => entry))];
    const chunks = readChunks(outputFiles, metafile, root, names);
    const { code, map } = await writeClosures(chunks, entries, {
      minify,
      rename: renamings(metafile, root, nameOf),
      sourceName: sourceNames(outDir, nameOf),
    });
    const end = `//# sourceMappingURL=${WORKFLOW_FILE}.map\n`;
    return {
      bundle: { code: code + end, map, metafile: publishedOnly(metafile, chunks) },
      errors: [],
      warnings,
    };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return { errors: error.errors, warnings: error.warnings };
  }
}

/** The metafile without outputs that only steered the division of the code. */
function publishedOnly({ inputs, outputs }: Metafile, chunks: readonly Chunk[]): Metafile {
  const published = new Set(chunks.map(({ output }) => output));
  return {
    inputs,
    outputs: Object.fromEntries(Object.entries(outputs).filter(([output]) => published.has(output))),
  };
}
