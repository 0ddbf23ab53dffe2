import type { SourceModule } from "../graph/source-module.js";
import { assertEveryDirectiveCompiled } from "../transform/index.js";
import type { Diagnostic } from "../types.js";
import { duplicateIds } from "./names.js";

/** What can be said of modules by themselves and by their ids, whichever bundle they are for. */
export function moduleFindings(modules: readonly SourceModule[]): Diagnostic[] {
  return [
    ...modules.flatMap(({ analysis }) => analysis.diagnostics),
    ...modules.flatMap(({ analysis }) => assertEveryDirectiveCompiled(analysis)),
    ...duplicateIds(modules),
  ];
}
