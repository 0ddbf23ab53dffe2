import { defineRule, type Finding } from "./rule.js";

export const unreadableToolRule = defineRule({
  code: "EVE1010",
  severity: "error",
  title: "Default export that isn't a tool, or can't be read",
  description:
    "The compiler reads a tool without running it. It follows constants, `as`, `satisfies`, renamed imports and spreads of constant objects of the same module; it can't follow a function call, a condition or a value from elsewhere.",
  bad: `export default wrap(defineWorkflowTool({
  description: "Hidden in a call.",
  inputSchema: { type: "object" },
  async execute() { "use workflow"; },
}));`,
  good: `export default defineWorkflowTool({
  description: "In plain sight.",
  inputSchema: { type: "object" },
  async execute() { "use workflow"; },
});`,
});

const WRITE = `Write export default defineWorkflowTool({ … }) or export default defineTool({ … }), both from "eve/tools".`;

export function noDefaultExport(): Finding {
  return {
    rule: unreadableToolRule,
    message: "This file is a tool by its place, but it has no default export.",
    help: `${WRITE} Files that only hold shared code belong outside tools/, in lib/ for example.`,
  };
}

export function notATool(): Finding {
  return {
    rule: unreadableToolRule,
    message: "The default export can't be read as a tool.",
    help: WRITE,
  };
}

export function definitionNotLiteral(): Finding {
  return {
    rule: unreadableToolRule,
    message: "The argument of defineWorkflowTool can't be read without running it.",
    help: "Pass an object literal: defineWorkflowTool({ … }). Shared parts may be spread from a constant of this module.",
  };
}

/** @param entry `execute`, `task` or `serve` */
export function entryPointNotReadable(entry: string): Finding {
  return {
    rule: unreadableToolRule,
    message: `"${entry}" can't be read without running the module, so its "use workflow" can't be found.`,
    help: `Write the function inline, or refer to a top-level async function of this module or an imported one.`,
  };
}

export function entryPointBehindSpread(): Finding {
  return {
    rule: unreadableToolRule,
    message: `The tool's entry point may come from this spread, which can't be read, so its "use workflow" can't be found.`,
    help: `Write execute, task or serve inline in the object, or refer to a top-level async function.`,
  };
}

export function severalDefinitions(): Finding {
  return {
    rule: unreadableToolRule,
    message: "This defineWorkflowTool call isn't the module's default export, so nothing would run it.",
    help: "Move the tool to a file of its own under agent/tools/ and export it as the default.",
  };
}
