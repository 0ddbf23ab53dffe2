import { defineRule, type Finding } from "./rule.js";

export const runtimeApiRule = defineRule({
  code: "EVE2004",
  severity: "error",
  title: "`workflow/api` in a body",
  description:
    "`start`, `getRun` and `resumeHook` talk to the engine that runs the body; what they return isn't recorded unless a step calls them.",
  bad: `import { start } from "workflow/api";\n\nasync execute() {\n  "use workflow";\n  return await start(other, []);\n}`,
  good: `import { start } from "workflow/api";\n\nasync execute() {\n  "use workflow";\n  return await begin();\n}\n\nasync function begin() {\n  "use step";\n  return (await start(other, [])).runId;\n}`,
});

/** @param name imported name; \`*\` for a namespace */
export function runtimeApi(name: string, specifier = "workflow/api"): Finding {
  return {
    rule: runtimeApiRule,
    message: `${name === "*" ? "A function" : `"${name}"`} of "${specifier}" is used by a workflow body; it belongs in steps.`,
    help: `Call it in a top-level async function with "use step".`,
  };
}
