import { defineRule, type Finding } from "./rule.js";

export const entryPointsRule = defineRule({
  code: "EVE1009",
  severity: "error",
  title: "Not exactly one entry point",
  description:
    "A workflow tool defines one of `execute` (the turn waits for the call), `task` (the call runs as a task) and `serve` (a task that takes further calls). None leaves nothing to run; with two, one would never be called. The former `execution` option is gone: the entry point says how calls run.",
  bad: `export default defineWorkflowTool({
  description: "Both ways.",
  inputSchema: { type: "object" },
  async execute() { "use workflow"; },
  async task() { "use workflow"; },
});`,
  good: `export default defineWorkflowTool({
  description: "One way.",
  inputSchema: { type: "object" },
  async task() { "use workflow"; },
});`,
});

/** @param near a property that may be meant as an entry point, and the name it should have */
export function noEntryPoint(near?: { written: string; wanted: string }): Finding {
  return {
    rule: entryPointsRule,
    message: "This workflow tool has no entry point: define exactly one of execute, task and serve.",
    help:
      near === undefined
        ? `Write async execute(input, ctx) { "use workflow"; … } in the object.`
        : `Did you mean "${near.wanted}" instead of "${near.written}"?`,
  };
}

/** @param names entry points that are defined, in source order */
export function severalEntryPoints(names: readonly string[]): Finding {
  return {
    rule: entryPointsRule,
    message: `This workflow tool defines ${names.join(" and ")}, but it must define exactly one entry point.`,
    help: `Keep one of ${names.join(", ")} and remove the other${names.length > 2 ? "s" : ""}.`,
  };
}

export function executionOption(): Finding {
  return {
    rule: entryPointsRule,
    message: `"execution" was replaced by task(). Define task(input, ctx) to run each call as a task.`,
    help: `Remove the execution option and rename execute to task.`,
  };
}
