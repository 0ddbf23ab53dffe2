import { defineRule, type Finding } from "./rule.js";

export const notSerialisableRule = defineRule({
  code: "EVE2008",
  severity: "warning",
  title: "Value that can't cross between body and step",
  description:
    'Arguments and results of steps are written to the log. Functions, symbols and instances of classes without serialisation can\'t be, nor can constants that are initialised with one. A class is written by `static [Symbol.for("workflow-serialize")](instance)` and read by `static [Symbol.for("workflow-deserialize")](data)`, whose keys `@workflow/serde` also exports as `WORKFLOW_SERIALIZE` and `WORKFLOW_DESERIALIZE`; it needs both, and to be declared at the top level of a module of the application.',
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

/** @param has the symbol that is a static member of the class; `lacks`: the one that isn't */
export function classHalfSerialisable(name: string, has: string, lacks: string): Finding {
  return {
    rule: notSerialisableRule,
    message: `The class ${name} has static [Symbol.for("${has}")] but no static [Symbol.for("${lacks}")], so its instances can't be carried.`,
    help:
      lacks === "workflow-deserialize"
        ? `Write static [Symbol.for("workflow-deserialize")](data) { return new ${name}(…); }.`
        : `Write static [Symbol.for("workflow-serialize")](instance) { return …; }.`,
  };
}

/** A class with both symbols that code outside of its function can't name. */
export function classOutOfReach(name: string | undefined): Finding {
  return {
    rule: notSerialisableRule,
    message: `${name === undefined ? "This class" : `The class ${name}`} can't be registered here, so its instances can't be carried.`,
    help: "Declare it at the top level of the module, as class Name { … } or const Name = class { … }.",
  };
}
