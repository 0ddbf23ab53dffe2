import type { EntryPointName } from "../types.js";
import { defineRule, type Finding } from "./rule.js";

export const missingDirectiveRule = defineRule({
  code: "EVE1001",
  severity: "error",
  title: 'Entry point without `"use workflow"`',
  description:
    "The function behind `execute`, `task` or `serve` of `defineWorkflowTool` is a workflow body, and a body must say so in its first statement. Without the directive it would run as ordinary code, once, and lose everything at the next restart. A directive on another function of the module doesn't count.",
  bad: `export default defineWorkflowTool({
  description: "Audit the shelf.",
  inputSchema: { type: "object" },
  async execute() {
    return await countBooks();
  },
});`,
  good: `export default defineWorkflowTool({
  description: "Audit the shelf.",
  inputSchema: { type: "object" },
  async execute() {
    "use workflow";
    return await countBooks();
  },
});`,
});

/**
 * @param entry which entry point lacks the directive
 * @param name the function's own name, when the entry point is a reference to it
 */
export function missingDirective(entry: EntryPointName, name?: string): Finding {
  const subject = name === undefined || name === entry ? `"${entry}"` : `"${name}", the tool's "${entry}",`;
  return {
    rule: missingDirectiveRule,
    message: `The entry point ${subject} doesn't start with "use workflow".`,
    help: `Write "use workflow"; as the first statement of its body.`,
  };
}
