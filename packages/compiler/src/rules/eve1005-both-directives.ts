import { defineRule, type Finding } from "./rule.js";

export const bothDirectivesRule = defineRule({
  code: "EVE1005",
  severity: "error",
  title: "Both directives on one function",
  description:
    "A step runs once with full access to Node.js and its result is recorded; a workflow is replayed from those records. One function can't be both.",
  bad: `async function odd(n: number) {\n  "use step";\n  "use workflow";\n  return n;\n}`,
  good: `async function odd(n: number) {\n  "use step";\n  return n;\n}`,
});

export function bothDirectives(): Finding {
  return {
    rule: bothDirectivesRule,
    message: `This function has both "use step" and "use workflow".`,
    help: `Keep "use step" if it does the work (I/O, clocks, Node.js); keep "use workflow" if it only calls steps and waits. Split it if it does both.`,
  };
}
