import { defineRule, type Finding } from "./rule.js";

export const builtinInBodyRule = defineRule({
  code: "EVE2001",
  severity: "error",
  title: "Node.js builtin reachable from a body",
  description:
    "A body is replayed in a sandbox without Node.js. What counts is what it really reaches after everything that only steps use has been cut: a barrel or an unused sibling export never causes this finding. The notes name every hop from the body to the builtin.",
  bad: `import path from "node:path";\n\nasync execute({ p }) {\n  "use workflow";\n  return path.parse(p).name;\n}`,
  good: `import path from "node:path";\n\nasync execute({ p }) {\n  "use workflow";\n  return await stem(p);\n}\n\nasync function stem(p: string) {\n  "use step";\n  return path.parse(p).name;\n}`,
});

/**
 * @param builtin as imported: \`node:path\`
 * @param cut file and name of the edge that is best cut: the first hop out of the workflow's own code
 */
export function builtinInBody(builtin: string, cut?: { name: string; file: string }): Finding {
  return {
    rule: builtinInBodyRule,
    message: `The Node.js builtin "${builtin}" is reachable from a workflow body, which runs without Node.js.`,
    help:
      cut === undefined
        ? `Move the code that uses it into a top-level async function with "use step", and await that in the body.`
        : `Call ${cut.name} (${cut.file}) from a top-level async function with "use step" instead of from the body.`,
  };
}
