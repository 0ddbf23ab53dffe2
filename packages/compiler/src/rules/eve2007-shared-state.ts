import { defineRule, type Finding } from "./rule.js";

export const sharedStateRule = defineRule({
  code: "EVE2007",
  severity: "warning",
  title: "Module state that a body shares or won't see",
  description:
    "Every replay evaluates a module anew in its own sandbox, and steps run elsewhere: what one of them writes to a module variable, the other never sees, and a body can't keep anything there between runs.",
  bad: `let count = 0;\n\nexport async function tally() {\n  "use workflow";\n  count += 1;\n  return count;\n}`,
  good: `export async function tally(count: number) {\n  "use workflow";\n  return count + 1;\n}`,
});

export function bodyWritesState(name: string): Finding {
  return {
    rule: sharedStateRule,
    message: `A workflow body writes to the module variable "${name}", which is new in every replay and isn't shared with steps or other runs.`,
    help: `Keep the value in a local variable of the body.`,
  };
}

export function stepWritesState(name: string): Finding {
  return {
    rule: sharedStateRule,
    message: `A step writes to the module variable "${name}", which a workflow body reads: the body never sees the change.`,
    help: `Return the value from the step.`,
  };
}

export function passedAtLoad(name: string): Finding {
  return {
    rule: sharedStateRule,
    message: `"${name}" is passed to a call when the module is loaded, and a workflow body uses it: the body won't see what the call does to it.`,
    help: `Assign the result instead (const prepared = prepare(${name})) and use that in the body.`,
  };
}
