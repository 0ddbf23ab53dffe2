import path from "node:path";
import { SERVER_FILE, WORKFLOW_FILE } from "../bundle/settings.js";
import type { Compilation } from "../build/compile.js";
import { functionId, moduleId } from "../ids/index.js";
import { contentsOf } from "./contents.js";
import { reachOf, type Reach } from "./reach.js";
import type { BuildReport } from "./report-data.js";

/** Puts the report of a compilation together. */
export function buildReport({ context, bundles, manifest }: Compilation, buildId: string): BuildReport {
  const { nameOf, session } = context;
  const inputName = (input: string): string => nameOf(path.resolve(session.root, input));
  const reached = new Map<string, Reach>();
  for (const graphModule of bundles.graph.modules.values()) {
    const { analysis, identity } = graphModule.module;
    for (const [index, { kind, name }] of analysis.directives.entries()) {
      if (kind !== "workflow") continue;
      reached.set(functionId(kind, moduleId(identity), name), reachOf(bundles.graph, graphModule, index));
    }
  }
  const workflows = Object.entries(manifest.workflows).map(([id, { file, line, tool }]) => ({
    id,
    file,
    line,
    ...(tool === undefined ? {} : { tool }),
    steps: [...(reached.get(id)?.steps ?? [])].sort(),
    modules: [...(reached.get(id)?.modules ?? [])].map(nameOf).sort(),
  }));
  const steps = Object.entries(manifest.steps).map(([id, { file, line }]) => ({
    id,
    file,
    line,
    workflows: workflows.filter((workflow) => workflow.steps.includes(id)).map((workflow) => workflow.id),
  }));
  const tools = Object.entries(manifest.tools).map(([name, { file, kind, entryPoint, workflowId }]) => ({
    name,
    file,
    kind,
    ...(entryPoint === undefined ? {} : { entryPoint }),
    ...(workflowId === undefined ? {} : { workflowId }),
  }));
  const contents = [
    [WORKFLOW_FILE, bundles.workflow.bundle] as const,
    [SERVER_FILE, bundles.server.bundle] as const,
  ].flatMap(([name, bundle]) =>
    bundle === undefined ? [] : [contentsOf(name, bundle.code, bundle.metafile, inputName)],
  );
  return { version: 1, buildId, tools, workflows, steps, bundles: contents };
}
