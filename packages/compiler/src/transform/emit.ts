import { withoutBom } from "../parse/lines.js";
import type { EmittedModule, ModuleAnalysis } from "../types.js";
import { applyToText } from "./apply-to-text.js";
import { markCalls } from "./call-sites.js";
import { planEdits, sliceOf, type PlanOptions } from "./plan.js";

export type EmitOptions = PlanOptions;

/**
 * Writes a module for one mode, on the portable ABI of the Workflow SDK. Works by edits of ranges: everything that isn't
 * about a directive, comments, types and formatting included, stays as the author wrote it. TypeScript is left for the
 * next tool to erase.
 *
 * @param source the text that `analysis` was made from
 * @returns the code (without a byte order mark) and a map to `source`, which stands in `sourcesContent` as given
 *
 * ```ts
 * const { code, map } = emitModule(text, analysis, { mode: "step", moduleId: "./lib/deploy" });
 * ```
 *
 * In workflow mode a step
 *
 *     async function plan(name: string) { "use step"; return lookup(name); }
 *
 * becomes
 *
 *     async function plan(...args) { return globalThis[Symbol.for("WORKFLOW_USE_STEP")]("step//./lib/deploy//plan")(...args); }
 *     plan.stepId = "step//./lib/deploy//plan";
 */
export function emitModule(source: string, analysis: ModuleAnalysis, options: EmitOptions): EmittedModule {
  const text = withoutBom(source);
  const out = applyToText(text, analysis, planEdits(analysis, options));
  if (options.mode === "workflow" && options.callSites)
    markCalls(out, text, analysis, sliceOf(analysis, options), options.callSites);
  const map = out.generateMap({ source: analysis.file, hires: "boundary" });
  return {
    code: out.toString(),
    map: {
      version: 3,
      sources: [analysis.file],
      sourcesContent: [source],
      names: map.names,
      mappings: map.mappings,
    },
  };
}
