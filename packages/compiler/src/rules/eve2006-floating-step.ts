import { defineRule, type Finding } from "./rule.js";

export const floatingStepRule = defineRule({
  code: "EVE2006",
  severity: "warning",
  title: "Step called without `await`",
  description:
    "The body doesn't wait for the call: it may return before the step runs, the step's error has nobody to catch it, and the result is lost.",
  bad: `async execute() {\n  "use workflow";\n  notify("done");\n}`,
  good: `async execute() {\n  "use workflow";\n  await notify("done");\n}`,
});

export function floatingStep(name: string): Finding {
  return {
    rule: floatingStepRule,
    message: `The step "${name}" is called without await, so the workflow doesn't wait for it.`,
    help: `Write await ${name}(…), return it, or collect it with Promise.all. If it is meant to run on its own, write void ${name}(…).`,
  };
}
