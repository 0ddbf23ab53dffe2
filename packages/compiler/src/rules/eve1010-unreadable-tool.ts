import { defineRule, type Finding } from "./rule.js";

export const unreadableToolRule = defineRule({
  code: "EVE1010",
  severity: "error",
  title: "Default export that isn't a tool, or can't be read",
  description:
    "The compiler reads a tool without running it. It follows constants, `as`, `satisfies`, renamed imports and spreads of constant objects of the same module; it can't follow a function call, a condition or a value from elsewhere. Afterwards the module is loaded once (unless `--no-evaluate` says otherwise): its definition has to be one that eve takes, and its `inputSchema` one that describes an object, as a tool's input is a JSON object.",
  bad: `export default wrap(defineWorkflowTool({
  description: "Hidden in a call.",
  inputSchema: { type: "object" },
  async execute() { "use workflow"; },
}));`,
  good: `export default defineWorkflowTool({
  description: "In plain sight.",
  inputSchema: { type: "object" },
  async execute() { "use workflow"; },
});`,
});

const WRITE = `Write export default defineWorkflowTool({ … }) or export default defineTool({ … }), both from "eve/tools".`;

export function noDefaultExport(): Finding {
  return {
    rule: unreadableToolRule,
    message: "This file is a tool by its place, but it has no default export.",
    help: `${WRITE} Files that only hold shared code belong outside tools/, in lib/ for example.`,
  };
}

export function notATool(): Finding {
  return {
    rule: unreadableToolRule,
    message: "The default export can't be read as a tool.",
    help: WRITE,
  };
}

export function definitionNotLiteral(): Finding {
  return {
    rule: unreadableToolRule,
    message: "The argument of defineWorkflowTool can't be read without running it.",
    help: "Pass an object literal: defineWorkflowTool({ … }). Shared parts may be spread from a constant of this module.",
  };
}

/** @param entry `execute`, `task` or `serve` */
export function entryPointNotReadable(entry: string): Finding {
  return {
    rule: unreadableToolRule,
    message: `"${entry}" can't be read without running the module, so its "use workflow" can't be found.`,
    help: `Write the function inline, or refer to a top-level async function of this module or an imported one.`,
  };
}

export function entryPointBehindSpread(): Finding {
  return {
    rule: unreadableToolRule,
    message: `The tool's entry point may come from this spread, which can't be read, so its "use workflow" can't be found.`,
    help: `Write execute, task or serve inline in the object, or refer to a top-level async function.`,
  };
}

/** @param types JSON types that the schema describes */
export function inputNotAnObject(types: readonly string[]): Finding {
  const what = types.map(withArticle).join(" or ");
  return {
    rule: unreadableToolRule,
    message: `This inputSchema describes ${what}, but a tool's input is a JSON object.`,
    help: `Put it into an object: z.object({ value: … }), or { type: "object", properties: { value: … } } as JSON Schema.`,
  };
}

function withArticle(type: string): string {
  if (type === "null") return type;
  return `${/^[aeiou]/.test(type) ? "an" : "a"} ${type}`;
}

/** @param reason the library's words */
export function schemaNotDescribed(reason: string): Finding {
  return {
    rule: unreadableToolRule,
    message: `This inputSchema can't be told to the model as JSON Schema: ${ended(reason)}`,
    help: "Describe the input by what JSON has (a date as a text, a set as an array), or write a JSON Schema.",
  };
}

/**
 * A `define…` function of eve throws.
 *
 * @param option the option of this tool's definition that it is about
 * @param isWritten whether the definition has it
 */
export function definitionRefused(reason: string, option?: string, isWritten = false): Finding {
  return {
    rule: unreadableToolRule,
    message: `This tool can't be defined: ${ended(reason)}`,
    help:
      option === undefined
        ? "Correct the call that the message names, here or in a module that this one imports."
        : isWritten
          ? `Correct "${option}" here.`
          : `Give the definition the option "${option}".`,
  };
}

/** The module of a tool throws when it is loaded. */
export function moduleFails(name: string, reason: string): Finding {
  return {
    rule: unreadableToolRule,
    message: `Evaluating this tool's module fails: ${name}: ${ended(reason)}`,
    help: helpFor(name),
  };
}

const CORRECT = "Correct what the error names, in this file or in one that it imports.";

function helpFor(name: string): string {
  switch (name) {
    case "ReferenceError":
    case "SyntaxError":
      return CORRECT;
    case "TypeError":
      return `${CORRECT} If a value is only missing while building (a variable of the environment, a service), read it in a step, or build with --no-evaluate.`;
    default:
      return "Make the module load without the services it works with, or build with --no-evaluate.";
  }
}

/** A reason in the words of somebody else, as the end of a message: in one line, as every finding's message is. */
function ended(reason: string): string {
  const line = reason.trim().replace(/\s*\n\s*/g, " ");
  return /[.?!]$/.test(line) ? line : `${line}.`;
}
