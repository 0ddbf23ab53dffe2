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

/** @param how a statement of its own, or in an async callback of `forEach` */
export function floatingStep(name: string, how: "statement" | "for-each"): Finding {
  if (how === "for-each") {
    return {
      rule: floatingStepRule,
      message: `The step "${name}" is called in a callback of forEach, which doesn't wait for it, so the workflow doesn't either.`,
      help: `Write for (const item of items) await ${name}(item); or await Promise.all(items.map((item) => ${name}(item)));`,
    };
  }
  return {
    rule: floatingStepRule,
    message: `The step "${name}" is called without await, so the workflow doesn't wait for it.`,
    help: `Write await ${name}(…), return it, or collect it with Promise.all. If it is meant to run on its own, write void ${name}(…).`,
  };
}
