import { defineRule, type Finding } from "./rule.js";

export const hostGlobalRule = defineRule({
  code: "EVE2002",
  severity: "error",
  title: "`process`, `require`, `__dirname` or `import.meta` in a body",
  description:
    "They belong to the host. In the sandbox of a body they don't exist, and what they say could differ between the first execution and a replay on another machine.",
  bad: `async execute() {\n  "use workflow";\n  return process.env.REGION;\n}`,
  good: `async execute() {\n  "use workflow";\n  return await region();\n}\n\nasync function region() {\n  "use step";\n  return process.env.REGION;\n}`,
});

/** @param path as written: \`process.env.REGION\` */
export function hostGlobal(path: string): Finding {
  return {
    rule: hostGlobalRule,
    message: `${path} is used by a workflow body, which has no access to the host.`,
    help: `Read it in a top-level async function with "use step" and return the value.`,
    fitsStep: true,
  };
}
