import { defineRule, type Finding } from "./rule.js";

export const taskIdTakenRule = defineRule({
  code: "EVE1102",
  severity: "error",
  title: "`serve` tool whose input declares `taskId`",
  description:
    "eve adds an optional `taskId` to the model's input of a `serve` tool, by which the model sends further calls to a running task. A property of the same name would be overwritten.",
  bad: `export default defineWorkflowTool({
  description: "Plan a trip.",
  inputSchema: z.object({ taskId: z.string() }),
  async serve(receive, ctx) { "use workflow"; },
});`,
  good: `export default defineWorkflowTool({
  description: "Plan a trip.",
  inputSchema: z.object({ tripId: z.string() }),
  async serve(receive, ctx) { "use workflow"; },
});`,
});

export function taskIdTaken(): Finding {
  return {
    rule: taskIdTakenRule,
    message: `The inputSchema of a serve tool can't declare "taskId": eve adds a property of that name.`,
    help: `Rename the property, to jobId for example.`,
  };
}
