import { defineRule, type Finding } from "./rule.js";

export const workflowOutsideToolRule = defineRule({
  code: "EVE1008",
  severity: "error",
  title: '`"use workflow"` in a definition that isn\'t a workflow tool',
  description:
    "`defineTool`, a bare object, channel and schedule handlers and tools returned from `defineDynamic` are called directly, so their functions can't be durable bodies.",
  bad: `export default defineTool({
  description: "Water the plants.",
  inputSchema: { type: "object" },
  async execute() {
    "use workflow";
    return { done: true };
  },
});`,
  good: `export default defineWorkflowTool({
  description: "Water the plants.",
  inputSchema: { type: "object" },
  async execute() {
    "use workflow";
    return { done: true };
  },
});`,
});

/** What the function belongs to: the name of a factory (`defineTool`), or `object` for a bare one. */
export function workflowOutsideTool(owner: string): Finding {
  const place = owner === "object" ? "a bare object" : owner;
  return {
    rule: workflowOutsideToolRule,
    message: `"use workflow" has no effect in ${place}: only defineWorkflowTool runs its entry point as a workflow.`,
    help: helpFor(owner),
  };
}

function helpFor(owner: string): string {
  if (owner === "defineTool" || owner === "object") {
    return `Define the tool with defineWorkflowTool({ … }) from "eve/tools", or remove the directive.`;
  }
  if (owner === "defineDynamic") {
    return `Workflow bodies are for static tools: export defineWorkflowTool({ … }) from a file of its own under agent/tools/.`;
  }
  return `Move the workflow into a tool made with defineWorkflowTool({ … }) under agent/tools/, or start a session from this handler.`;
}
