import { defineRule, type Finding } from "./rule.js";

export const syntaxErrorRule = defineRule({
  code: "EVE1000",
  severity: "error",
  title: "The file isn't a valid module",
  description:
    "The text can't be parsed in the dialect that the file's extension stands for: TypeScript for `.ts`, `.mts` and `.cts`, TypeScript with JSX for `.tsx`, JavaScript with JSX for the others.",
  bad: `export async function load( {\n  "use step";\n}`,
  good: `export async function load() {\n  "use step";\n}`,
});

/** @param reason the parser's words */
export function syntaxError(reason: string): Finding {
  return {
    rule: syntaxErrorRule,
    message: `This can't be parsed: ${reason.replace(/\.$/, "")}.`,
  };
}
