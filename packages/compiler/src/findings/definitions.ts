import { diagnosticAt } from "../diagnostics/diagnostic.js";
import type { ToolFacts, ToolModule } from "../evaluate/index.js";
import type { ModuleStore } from "../graph/module-store.js";
import { declaresTaskId, typesBesideObject } from "../manifest/model-schema.js";
import {
  definitionRefused,
  inputNotAnObject,
  moduleFails,
  schemaNotDescribed,
  taskIdTaken,
  type Finding,
} from "../rules/index.js";
import type { Diagnostic, Range, ToolReading } from "../types.js";

/**
 * What evaluation shows and reading can't: definitions that throw, and schemas that describe no object (EVE1010); a
 * `taskId` that reaches the schema of a `serve` tool by a spread or another library (EVE1102). Modules that have findings
 * already are left out: what follows from those would only repeat them.
 */
export function definitionFindings(
  store: ModuleStore,
  tools: readonly ToolModule[],
  facts: ReadonlyMap<string, ToolFacts>,
  found: readonly Diagnostic[],
): Diagnostic[] {
  const faulty = new Set(found.filter(({ severity }) => severity === "error").map(({ file }) => file));
  return tools.flatMap(({ key, file }) => {
    const told = facts.get(key);
    const { analysis, file: shown } = store.module(file);
    if (told === undefined || faulty.has(shown)) return [];
    const judged = judge(told, analysis.tool);
    if (judged === undefined) return [];
    const range = judged.range ?? analysis.tool ?? { start: 0, end: 0 };
    return [diagnosticAt(shown, analysis.lines, range, judged.finding)];
  });
}

/** A finding, and its range where that isn't the whole definition. */
interface Judged {
  finding: Finding;
  range?: Range | undefined;
}

function judge(told: ToolFacts, reading: ToolReading | undefined): Judged | undefined {
  const range = reading?.inputSchema;
  switch (told.kind) {
    case "other":
      return undefined;
    case "failed":
      return judgeFailure(told, reading);
    case "undescribed":
      return { finding: schemaNotDescribed(told.message), range };
    case "tool":
    case "workflow-tool": {
      const types = typesBesideObject(told.inputSchema);
      if (types.length > 0) return { finding: inputNotAnObject(types), range };
      const isTaken = told.entryPoint === "serve" && declaresTaskId(told.inputSchema);
      return isTaken ? { finding: taskIdTaken(), range } : undefined;
    }
  }
}

function judgeFailure(
  { name, message, about }: Extract<ToolFacts, { kind: "failed" }>,
  reading: ToolReading | undefined,
): Judged {
  if (name !== "DefinitionError") return { finding: moduleFails(name, message) };
  // Another module may define something, too, when it is loaded; its options aren't here.
  const isOwn = about !== undefined && about.factory === reading?.factory;
  if (!isOwn) return { finding: definitionRefused(message) };
  const types = about.option === "inputSchema" ? typesBesideObject(reading?.inputSchemaLiteral) : [];
  if (types.length > 0) return { finding: inputNotAnObject(types), range: reading?.inputSchema };
  const written = reading?.options?.find((option) => option.name === about.option);
  const place = about.option === "inputSchema" ? (reading?.inputSchema ?? written) : written;
  return { finding: definitionRefused(message, about.option, written !== undefined), range: place };
}
