import { moduleId } from "../ids/index.js";
import type { GraphModule } from "../graph/workflow-graph.js";
import type { SourceModule } from "../graph/source-module.js";
import { emitModule } from "../transform/index.js";
import type { OnLoadResult } from "./esbuild.js";
import { loaderOf, withInlineMap } from "./loader.js";

/** Loaded in place of a module that doesn't parse: its finding is enough, importers may still be checked. */
const BROKEN: OnLoadResult = { contents: "module.exports = {};", loader: "js" };

/** A module of the graph as workflow mode loads it. */
export function emitWorkflowModule({ module, slice }: GraphModule): OnLoadResult {
  if (!isParsed(module)) return BROKEN;
  const id = moduleId(module.identity);
  const emitted = emitModule(module.text, module.analysis, { mode: "workflow", moduleId: id, slice });
  return { contents: withInlineMap(emitted, module.path), loader: loaderOf(module.path) };
}

/** A module with directives as step mode loads it. */
export function emitStepModule(module: SourceModule): OnLoadResult {
  if (!isParsed(module)) return BROKEN;
  const id = moduleId(module.identity);
  const emitted = emitModule(module.text, module.analysis, { mode: "step", moduleId: id });
  return { contents: withInlineMap(emitted, module.path), loader: loaderOf(module.path) };
}

/** Whether the module's text was a program at all. */
export function isParsed(module: SourceModule): boolean {
  return !module.analysis.diagnostics.some((finding) => finding.code === "EVE1000");
}
