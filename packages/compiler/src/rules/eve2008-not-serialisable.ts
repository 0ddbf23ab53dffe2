import { defineRule, type Finding } from "./rule.js";

export const notSerialisableRule = defineRule({
  code: "EVE2008",
  severity: "warning",
  title: "Value that can't cross between body and step",
  description:
    "Arguments and results of steps are written to the log. Functions, symbols and instances of classes without serialisation can't be.",
  bad: `async execute() {\n  "use workflow";\n  return await each([1, 2], (n) => n * 2);\n}`,
  good: `async execute() {\n  "use workflow";\n  return await doubleEach([1, 2]);\n}`,
});

/** What can't be written to the log. */
export type Unserialisable = "function" | "symbol" | "class";

const NAMES: Record<Unserialisable, string> = {
  function: "A function",
  symbol: "A symbol",
  class: "An instance of a class",
};

export function argumentNotSerialisable(step: string, what: Unserialisable, name?: string): Finding {
  return {
    rule: notSerialisableRule,
    message: `${NAMES[what]}${name === undefined ? "" : ` (${name})`} is passed to the step "${step}", but it can't be written to the log.`,
    help:
      what === "class"
        ? "Pass the plain values that the step needs, or give the class serialisation."
        : "Pass plain values, and let the step decide what to call by them.",
  };
}

export function resultNotSerialisable(step: string, what: Unserialisable, name?: string): Finding {
  return {
    rule: notSerialisableRule,
    message: `${NAMES[what]}${name === undefined ? "" : ` (${name})`} is returned by the step "${step}", but it can't be written to the log.`,
    help: "Return plain values.",
  };
}
