import { DIRECTIVE_TEXT, type DirectiveKind } from "../directives/spelling.js";
import { defineRule, type Finding } from "./rule.js";

export const directiveNotFirstRule = defineRule({
  code: "EVE1003",
  severity: "error",
  title: "Directive that isn't the first statement",
  description:
    "JavaScript gives a directive a meaning only at the very start of a function. Later in the body, in a block, behind another directive, or swallowed by a `[` or `(` on the next line, it is a string without effect.",
  bad: `export async function wash(n: number) {\n  const load = n * 2;\n  "use step";\n  return load;\n}`,
  good: `export async function wash(n: number) {\n  "use step";\n  return n * 2;\n}`,
});

export function directiveLate(kind: DirectiveKind): Finding {
  const text = DIRECTIVE_TEXT[kind];
  return {
    rule: directiveNotFirstRule,
    message: `${text} has no effect here: a directive must be the first statement of its function.`,
    help: `Move ${text}; to the first line of the function's body.`,
  };
}

/** @param other the directive that stands before it, quotes included */
export function directiveBehindAnother(kind: DirectiveKind, other: string): Finding {
  const text = DIRECTIVE_TEXT[kind];
  return {
    rule: directiveNotFirstRule,
    message: `${text} must be the first statement of its function, but ${other} stands before it.`,
    help: `Put ${text}; before ${other}. A module is always in strict mode, so "use strict" isn't needed.`,
  };
}

export function directiveTwice(kind: DirectiveKind): Finding {
  const text = DIRECTIVE_TEXT[kind];
  return {
    rule: directiveNotFirstRule,
    message: `${text} stands twice in this function; only the first statement counts.`,
    help: `Remove the second ${text}.`,
  };
}

export function directiveInExpression(kind: DirectiveKind): Finding {
  const text = DIRECTIVE_TEXT[kind];
  return {
    rule: directiveNotFirstRule,
    message: `${text} is part of a longer expression here, so it is no directive.`,
    help: `Put a semicolon behind it: ${text}; — without one, the next line continues the expression.`,
  };
}
