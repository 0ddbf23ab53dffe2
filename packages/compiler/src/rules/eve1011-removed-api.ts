import { defineRule, type Finding } from "./rule.js";

export const removedApiRule = defineRule({
  code: "EVE1011",
  severity: "error",
  title: "Removed entry point or option",
  description:
    "Names of earlier releases that no longer exist. Left alone they would fail at load time, or be ignored without a word.",
  bad: `async execute({ service }, ctx) {\n  "use workflow";\n  const answer = await ctx.ask({ prompt: \`Deploy \${service}?\`, dismissible: true });\n  return answer.status === "dismissed" ? "no answer" : await deploy(service);\n}`,
  good: `async execute({ service }, ctx) {\n  "use workflow";\n  const answer = await ctx.ask({ prompt: \`Deploy \${service}?\` });\n  return answer.status === "cancelled" ? "no answer" : await deploy(service);\n}`,
});

export function removedEntryPoint(specifier: string): Finding {
  return {
    rule: removedApiRule,
    message: `The "${specifier}" entry point has been removed.`,
    help: `Replace agent(ctx, input) and ask(ctx, request) with ctx.agent(name) and ctx.ask(request); import types such as WorkflowToolContext, AgentSession and ToolInputRequest from "eve/tools".`,
  };
}

export function removedExperimentalWorkflow(name: string): Finding {
  return {
    rule: removedApiRule,
    message: `"${name}" has been removed. The lowercase factory "workflow" takes its place, which this version of eve doesn't offer yet.`,
    help: "Write what the program did as a tool with defineWorkflowTool, or remove this module until workflow() is offered.",
  };
}

export function removedDismissible(): Finding {
  return {
    rule: removedApiRule,
    message: `ctx.ask no longer accepts "dismissible", and its "dismissed" status is now "cancelled".`,
    help: `Remove the option: a steering message withdraws a question that an execute call asks. To keep a question open while the conversation continues, ask it from task(input, ctx).`,
  };
}
