import { DIRECTIVE_TEXT, type DirectiveKind } from "../directives/spelling.js";
import { defineRule, type Finding } from "./rule.js";

export const misspeltDirectiveRule = defineRule({
  code: "EVE1002",
  severity: "error",
  title: "Misspelt or malformed directive",
  description:
    'A statement that is only a string, and close to `"use step"` or `"use workflow"`, is legal JavaScript without any effect. The same goes for a directive in parentheses, in backticks or written with escapes. Strings in any other position are data and are left alone.',
  bad: `export async function load() {\n  "use steps";\n  return 1;\n}`,
  good: `export async function load() {\n  "use step";\n  return 1;\n}`,
});

/** How a directive went wrong. */
export type Malformation = "misspelt" | "escaped" | "parenthesised" | "template";

/** @param written the author's text, quotes included */
export function misspeltDirective(kind: DirectiveKind, how: Malformation, written: string): Finding {
  const wanted = DIRECTIVE_TEXT[kind];
  const help = `Write ${wanted}; as the first statement of the function.`;
  switch (how) {
    case "misspelt":
      return {
        rule: misspeltDirectiveRule,
        message: `${written} has no effect. Did you mean ${wanted}?`,
        help,
      };
    case "escaped":
      return {
        rule: misspeltDirectiveRule,
        message: `${written} is no directive, since it is written with escapes. Did you mean ${wanted}?`,
        help,
      };
    case "parenthesised":
      return {
        rule: misspeltDirectiveRule,
        message: `A string in parentheses is no directive. Did you mean ${wanted}?`,
        help: `Remove the parentheses: ${wanted};`,
      };
    case "template":
      return {
        rule: misspeltDirectiveRule,
        message: `A template literal is no directive. Did you mean ${wanted}?`,
        help: `Write it with quotes: ${wanted};`,
      };
  }
}
