import { defineRule, type Finding } from "./rule.js";
import { makeStep, type NearStep } from "./near-step.js";

export const builtinInBodyRule = defineRule({
  code: "EVE2001",
  severity: "error",
  title: "Node.js builtin reachable from a body",
  description:
    "A body is replayed in a sandbox without Node.js. What counts is what it really reaches after everything that only steps use has been cut: a barrel or an unused sibling export never causes this finding. The notes name every hop from the body to the builtin.",
  bad: `import path from "node:path";\n\nasync execute({ p }) {\n  "use workflow";\n  return path.parse(p).name;\n}`,
  good: `import path from "node:path";\n\nasync execute({ p }) {\n  "use workflow";\n  return await stem(p);\n}\n\nasync function stem(p: string) {\n  "use step";\n  return path.parse(p).name;\n}`,
});

/** Where the way from a body to a builtin may be cut. */
export interface Cuts {
  /** What the workflow's own code uses first, and the file that declares it. */
  cut?: { name: string; file?: string };
  step?: NearStep;
}

/** @param builtin as imported: \`node:path\` */
export function builtinInBody(builtin: string, cuts: Cuts): Finding {
  return {
    rule: builtinInBodyRule,
    message: `The Node.js builtin "${builtin}" is reachable from a workflow body, which runs without Node.js.`,
    help: helpFor(cuts),
  };
}

function helpFor({ cut, step }: Cuts): string {
  if (step !== undefined) return makeStep(step);
  if (cut === undefined) {
    return `Move the code that uses it into a top-level async function with "use step", and await that in the body.`;
  }
  const where = cut.file === undefined ? "" : ` (${cut.file})`;
  return `Call ${cut.name}${where} from a top-level async function with "use step" instead of from the body.`;
}
