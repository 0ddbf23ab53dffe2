import { diagnosticAt } from "../diagnostics/diagnostic.js";
import type { ToolFacts, ToolModule } from "../evaluate/index.js";
import type { EntryPoint } from "../graph/entry-points.js";
import type { ModuleStore } from "../graph/module-store.js";
import { declaresTaskId } from "../manifest/model-schema.js";
import { unreadableToolRule } from "../rules/eve1010-unreadable-tool.js";
import { taskIdTaken, type Finding } from "../rules/index.js";
import type { Diagnostic } from "../types.js";

/**
 * What evaluation shows and reading can't: definitions that throw (EVE1010), and a `taskId` that reaches the
 * schema of a `serve` tool by a spread or another library (EVE1102). Modules that have findings already are left out:
 * what follows from those would only repeat them.
 */
export function definitionFindings(
  store: ModuleStore,
  tools: readonly ToolModule[],
  entryPoints: ReadonlyMap<string, EntryPoint>,
  facts: ReadonlyMap<string, ToolFacts>,
  found: readonly Diagnostic[],
): Diagnostic[] {
  const faulty = new Set(found.filter(({ severity }) => severity === "error").map(({ file }) => file));
  return tools.flatMap(({ key, file }) => {
    const told = facts.get(key);
    const { analysis, file: shown } = store.module(file);
    if (told === undefined || faulty.has(shown)) return [];
    const reading = analysis.tool;
    const range = reading ?? { start: 0, end: 0 };
    if (told.kind === "failed") {
      return [diagnosticAt(shown, analysis.lines, range, definitionFails(told.name, told.message))];
    }
    if (told.kind !== "workflow-tool" || told.entryPoint !== "serve" || !declaresTaskId(told.inputSchema))
      return [];
    return [diagnosticAt(shown, analysis.lines, reading?.inputSchema ?? range, taskIdTaken())];
  });
}

function definitionFails(name: string, message: string): Finding {
  return {
    rule: unreadableToolRule,
    message: `Evaluating this tool's module fails: ${name}: ${message.replace(/\.$/, "")}.`,
    help: "Make the module load without the services it works with, or build with --no-evaluate.",
  };
}
