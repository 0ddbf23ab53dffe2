import { defineRule, type Finding } from "./rule.js";

export const unliftableBodyRule = defineRule({
  code: "EVE1012",
  severity: "error",
  title: "Function that can't be taken out of its module",
  description:
    "Bodies and steps are registered by id and called on their own, without the object they were written in: `this` and `super` mean nothing there. The code that registers them needs the global object under its own name.",
  bad: `export default defineWorkflowTool({
  description: "Greet.",
  inputSchema: { type: "object" },
  async execute() {
    "use workflow";
    return this.description;
  },
});`,
  good: `const description = "Greet.";

export default defineWorkflowTool({
  description,
  inputSchema: { type: "object" },
  async execute() {
    "use workflow";
    return description;
  },
});`,
});

/** @param word \`this\`, \`super\` or \`new.target\` */
export function usesThis(word: string, name: string): Finding {
  return {
    rule: unliftableBodyRule,
    message: `"${name}" uses ${word}, but bodies and steps are called on their own, without an object.`,
    help: `Refer to constants of the module, or pass what is needed as an argument.`,
  };
}

export function shadowsGlobalObject(): Finding {
  return {
    rule: unliftableBodyRule,
    message: `A module with directives can't declare "globalThis": registration needs the global object.`,
    help: `Rename this binding.`,
  };
}
