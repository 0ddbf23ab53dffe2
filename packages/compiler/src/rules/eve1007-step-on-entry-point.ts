import type { EntryPointName } from "../types.js";
import { defineRule, type Finding } from "./rule.js";

export const stepOnEntryPointRule = defineRule({
  code: "EVE1007",
  severity: "error",
  title: '`"use step"` on an entry point',
  description:
    "The function behind `execute`, `task` or `serve` is the workflow body. Marked as a step it would be registered as one, and the tool would have nothing to start.",
  bad: `export default defineWorkflowTool({
  description: "Mow the lawn.",
  inputSchema: { type: "object" },
  async execute() {
    "use step";
    return { ok: true };
  },
});`,
  good: `export default defineWorkflowTool({
  description: "Mow the lawn.",
  inputSchema: { type: "object" },
  async execute() {
    "use workflow";
    return await mow();
  },
});

async function mow() {
  "use step";
  return { ok: true };
}`,
});

export function stepOnEntryPoint(entry: EntryPointName): Finding {
  return {
    rule: stepOnEntryPointRule,
    message: `"${entry}" is the tool's entry point, so it needs "use workflow", not "use step".`,
    help: `Write "use workflow"; here and move the work into a top-level async function with "use step";.`,
  };
}
