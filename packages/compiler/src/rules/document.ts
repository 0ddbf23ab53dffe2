import type { Rule } from "./rule.js";

/** The text of `docs/rules.md`: what each rule is about, with the smallest program that breaks it and one that doesn't. */
export function renderRules(rules: readonly Rule[]): string {
  const parts = [
    "# Rules",
    "<!-- Generated from packages/compiler/src/rules by scripts/generate-rules-doc.mjs. Don't edit. -->",
    "Every finding of the compiler has one of these codes. Codes are stable and never reused. Findings of the rules " +
      "EVE1105, EVE1203 and EVE2001 to EVE2008 can be suppressed, with a reason:",
    fence(
      "// eve-ignore-next-line EVE2005 -- the log's time is what we want to show\nconst at = Date.now();",
      "ts",
    ),
    [
      "| code | severity | fault |",
      "| --- | --- | --- |",
      ...rules.map(
        (rule) => `| [${rule.code}](#${rule.code.toLowerCase()}) | ${rule.severity} | ${rule.title} |`,
      ),
    ].join("\n"),
    ...rules.flatMap((rule) => [
      `<a id="${rule.code.toLowerCase()}"></a>`,
      `## ${rule.code}: ${rule.title}`,
      `Severity: ${rule.severity}`,
      rule.description,
      "Wrong:",
      fence(rule.bad, language(rule.bad)),
      "Right:",
      fence(rule.good, language(rule.good)),
    ]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function fence(code: string, lang: string): string {
  return `\`\`\`${lang}\n${code}\n\`\`\``;
}

/** Examples are programs, but for those about file names, commands and the lock file. */
function language(example: string): string {
  if (/^(?:agent\/|eve |\()/.test(example)) return "text";
  return example.startsWith("{") ? "json" : "ts";
}
