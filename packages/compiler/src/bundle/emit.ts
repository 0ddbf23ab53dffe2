import { moduleId } from "../ids/index.js";
import type { GraphModule } from "../graph/workflow-graph.js";
import type { SourceModule } from "../graph/source-module.js";
import { emitModule, type CallSites } from "../transform/index.js";
import type { OnLoadResult } from "./esbuild.js";
import { loaderOf, withInlineMap } from "./loader.js";
import { LOST } from "./stub.js";

/**
 * Loaded in place of a module that doesn't parse: its finding is enough, importers may still be checked. Any name can be
 * imported from it, also where the package says that its files are ES modules: the CommonJS comes from elsewhere.
 */
const BROKEN: OnLoadResult = {
  contents: 'export * from "data:text/javascript,module.exports = {};";',
  loader: "js",
};

/**
 * A module of the graph as workflow mode loads it.
 *
 * @param callSites what lets steps know where they are called, for eve's own runtime
 */
export function emitWorkflowModule(graphModule: GraphModule, callSites?: CallSites): OnLoadResult {
  const { module, slice } = graphModule;
  if (!isParsed(module)) return BROKEN;
  const id = moduleId(module.identity);
  const emitted = emitModule(markUnresolved(graphModule), module.analysis, {
    mode: "workflow",
    moduleId: id,
    slice,
    ...(callSites === undefined ? {} : { callSites }),
  });
  return { contents: withInlineMap(emitted, module.path), loader: loaderOf(module.path) };
}

/**
 * The text of a module in which imports that are reported already start with `LOST`. A stub answers them, so that
 * one of them doesn't hide what else there is to report. The text keeps its length, and so every offset.
 */
function markUnresolved({ module, edges }: GraphModule): string {
  let { text } = module;
  const shift = text.startsWith("\uFEFF") ? 1 : 0;
  for (const { index, target } of edges.values()) {
    const declaration = module.analysis.imports[index];
    if (target.kind !== "unresolved" || declaration === undefined || declaration.specifier === "") continue;
    const first = text.indexOf(declaration.specifier.slice(0, 1), declaration.specifierStart + shift);
    if (first === -1 || first >= declaration.specifierEnd + shift) continue;
    text = text.slice(0, first) + LOST + text.slice(first + 1);
  }
  return text;
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
