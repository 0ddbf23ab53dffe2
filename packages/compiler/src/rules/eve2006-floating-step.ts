import type { Floating } from "../types.js";
import { defineRule, type Finding } from "./rule.js";

export const floatingStepRule = defineRule({
  code: "EVE2006",
  severity: "warning",
  title: "Step called without `await`",
  description:
    "The body doesn't wait for the call: it may return before the step runs, the step's error has nobody to catch it, and the result is lost. The same goes for a promise in a variable that nothing reads, for a chain of `.then(…)` whose own promise is dropped, for callbacks of `forEach`, and for `sleep` and `ctx.ask` on their own. A promise that is awaited, returned, passed on or kept in an array is fine; `void` says that nobody is meant to wait.",
  bad: `async execute() {\n  "use workflow";\n  notify("done");\n}`,
  good: `async execute() {\n  "use workflow";\n  await notify("done");\n}`,
});

/** What a body waits for besides steps. */
export type Operation = "sleep" | "ctx.ask";

export function floatingStep(name: string, floating: Floating): Finding {
  const meant = `If it is meant to run on its own, write void ${name}(…).`;
  switch (floating.how) {
    case "for-each":
      return inForEach(`The step "${name}"`, `${name}(item)`);
    case "statement":
      return {
        rule: floatingStepRule,
        message: `The step "${name}" is called without await, so the workflow doesn't wait for it.`,
        help: `Write await ${name}(…), return it, or collect it with Promise.all. ${meant}`,
      };
    case "chain":
      return {
        rule: floatingStepRule,
        message: `The step "${name}" is called with .${floating.method}(…), but nothing waits for what that gives, so the workflow doesn't either.`,
        help: `Write await ${name}(…).${floating.method}(…), return it, or collect it with Promise.all. If it is meant to run on its own, write void ${name}(…).${floating.method}(…).`,
      };
    case "variable":
      return {
        rule: floatingStepRule,
        message: `The promise of the step "${name}" goes into "${floating.name}", which nothing reads afterwards, so the workflow doesn't wait for it.`,
        help: `Write await ${name}(…) here, or await "${floating.name}" later. ${meant}`,
      };
  }
}

export function floatingOperation(
  operation: Operation,
  floating: Exclude<Floating, { how: "chain" }>,
): Finding {
  switch (floating.how) {
    case "for-each":
      return inForEach(operation, `${operation}(…)`);
    case "statement":
      return {
        rule: floatingStepRule,
        message:
          operation === "sleep"
            ? "sleep is called without await, so the workflow goes on at once."
            : "ctx.ask is called without await, so the workflow goes on without the answer.",
        help: `Write await ${operation}(…), or hand it to Promise.race or Promise.all.`,
      };
    case "variable":
      return {
        rule: floatingStepRule,
        message: `The promise of ${operation} goes into "${floating.name}", which nothing reads afterwards, so the workflow doesn't wait for it.`,
        help: `Write await ${operation}(…) here, or await "${floating.name}" later.`,
      };
  }
}

function inForEach(what: string, call: string): Finding {
  return {
    rule: floatingStepRule,
    message: `${what} is called in a callback of forEach, which doesn't wait for it, so the workflow doesn't either.`,
    help: `Write for (const item of items) await ${call}; or await Promise.all(items.map((item) => ${call}));`,
  };
}
