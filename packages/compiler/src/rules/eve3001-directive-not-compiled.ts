import { defineRule, type Finding } from "./rule.js";

export const directiveNotCompiledRule = defineRule({
  code: "EVE3001",
  severity: "error",
  title: "Directive that wasn't compiled",
  description:
    "A check of the compiler on itself: every directive of a file is compiled or has a finding, and every step that a body calls is registered on the step side. It should never fail; if it does, the build stops rather than publish a bundle with a silently ignored directive.",
  bad: `(a defect of the compiler)`,
  good: `(please report it)`,
});

export function directiveNotCompiled(): Finding {
  return {
    rule: directiveNotCompiledRule,
    message: "A directive in this file was neither compiled nor reported.",
    help: "This is a defect of eve. Please report it with the file.",
  };
}

export function stepNotRegistered(id: string): Finding {
  return {
    rule: directiveNotCompiledRule,
    message: `The step ${id} is called by a workflow body, but the step bundle doesn't register it.`,
    help: "This is a defect of eve. Please report it with the import that leads to the step.",
  };
}
