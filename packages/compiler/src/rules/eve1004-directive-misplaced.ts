import { DIRECTIVE_TEXT, type DirectiveKind } from "../directives/spelling.js";
import { defineRule, type Finding } from "./rule.js";

export const directiveMisplacedRule = defineRule({
  code: "EVE1004",
  severity: "error",
  title: "Directive in a place that can't carry it",
  description:
    "A step is a top-level `async function` declaration; a workflow is that, or the inline `execute`, `task` or `serve` of a default-exported `defineWorkflowTool`. Nested functions would lose the variables they close over, methods their `this`, and a directive at the top of a file would hit its exports by accident. Each of these is an error rather than a guess.",
  bad: `export async function quote(rate: number) {
  "use workflow";
  const price = async (weight: number) => {
    "use step";
    return weight * rate;
  };
  return await price(4);
}`,
  good: `export async function quote(rate: number) {
  "use workflow";
  return await price(4, rate);
}

async function price(weight: number, rate: number) {
  "use step";
  return weight * rate;
}`,
});

/** Where a directive stands that has no business there. */
export type Misplacement =
  | { place: "module" }
  | { place: "nested"; captures: string[] }
  | { place: "class"; member: string | undefined; private: boolean }
  | { place: "object"; member: string | undefined; spread: boolean }
  | { place: "stray-tool" }
  | { place: "constant"; name: string | undefined }
  | { place: "callback" }
  | { place: "namespace" }
  | { place: "block" }
  | { place: "accessor" };

export function directiveMisplaced(kind: DirectiveKind, where: Misplacement): Finding {
  const text = DIRECTIVE_TEXT[kind];
  const topLevel =
    kind === "step"
      ? "a top-level async function"
      : "a top-level async function or an inline entry point of defineWorkflowTool";
  if (where.place === "stray-tool") {
    return {
      rule: directiveMisplacedRule,
      message: `${text} can't stand in a tool that isn't the module's default export: nothing would run it.`,
      help: "Write export default defineWorkflowTool({ … }), one tool in a file under agent/tools/.",
    };
  }
  const [what, help] = words(text, where);
  return { rule: directiveMisplacedRule, message: `${text} ${what}: it marks ${topLevel}.`, help };
}

function words(text: string, where: Exclude<Misplacement, { place: "stray-tool" }>): [string, string] {
  const write = `Write a top-level async function declaration with ${text}; as its first statement`;
  switch (where.place) {
    case "module":
      return [
        "can't stand at the top of a file or outside a function",
        `Remove it and write ${text}; as the first statement of each async function of this module that it is meant for.`,
      ];
    case "nested":
      return [
        where.captures.length > 0
          ? `can't stand in a nested function, which would lose what it captures (${list(where.captures)})`
          : "can't stand in a nested function",
        where.captures.length > 0
          ? `${write}, and pass ${list(where.captures)} as an argument.`
          : `Move the function to the top level of the module.`,
      ];
    case "class":
      return [
        `can't stand in a class${where.member === undefined ? "" : ` member (${where.member})`}`,
        where.private
          ? `${write}, pass the values of the private members that it needs, and call it from the method.`
          : `${write}, and call it from the method.`,
      ];
    case "object":
      return [
        `can't stand in an object's method${where.member === undefined ? "" : ` (${where.member})`}`,
        where.spread
          ? `Write the entry point directly in the object that is passed to defineWorkflowTool, or move the function to the top level as an async function declaration and refer to it.`
          : `${write}.`,
      ];
    case "constant":
      return [
        "can't stand in a function that is a value",
        `Write a top-level declaration instead: async function ${where.name ?? "name"}(…) { ${text}; … }`,
      ];
    case "callback":
      return ["can't stand in a function that is passed on", `${write}, and pass that function.`];
    case "namespace":
      return ["can't stand in a namespace", `${write}.`];
    case "block":
      return ["can't stand in a function that is declared in a block", `Move the function to the top level.`];
    case "accessor":
      return ["can't stand in a getter or setter", `${write}, and call it.`];
  }
}

function list(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
