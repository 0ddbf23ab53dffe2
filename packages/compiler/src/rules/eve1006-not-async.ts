import { DIRECTIVE_TEXT, type DirectiveKind } from "../directives/spelling.js";
import { defineRule, type Finding } from "./rule.js";

export const notAsyncRule = defineRule({
  code: "EVE1006",
  severity: "error",
  title: "Directive on a function of the wrong kind",
  description:
    "Calls of steps and workflows take time that no synchronous caller could wait for, so both are `async` functions. `execute` and `task` may be async generators, whose yields report progress; `serve` and steps may not.",
  bad: `export function pad(s: string) {\n  "use step";\n  return s.padStart(4, "0");\n}`,
  good: `export async function pad(s: string) {\n  "use step";\n  return s.padStart(4, "0");\n}`,
});

/** @param name the function's name, if it has one */
export function notAsync(kind: DirectiveKind, name: string | undefined): Finding {
  return {
    rule: notAsyncRule,
    message: `${name === undefined ? "This function" : `"${name}"`} has ${DIRECTIVE_TEXT[kind]} but isn't async.`,
    help: `Write async before ${name === undefined ? "the function" : name}, and await its calls.`,
  };
}

export function stepGenerator(name: string | undefined): Finding {
  return {
    rule: notAsyncRule,
    message: `${name === undefined ? "This step" : `The step "${name}"`} is a generator; a step has one result.`,
    help: `Return the values as an array, or yield from the workflow body and call a step for each value.`,
  };
}

/** @param name the function's own name, when `serve` is a reference to it */
export function serveGenerator(name?: string): Finding {
  return {
    rule: notAsyncRule,
    message: `"serve"${name === undefined ? "" : ` (${name})`} is a generator, but serve must be a plain async function: its yields would go nowhere.`,
    help: `Remove the * and answer calls with ctx.reply(output).`,
  };
}
