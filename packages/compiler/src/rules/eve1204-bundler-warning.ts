import { defineRule, type Finding } from "./rule.js";

export const bundlerWarningRule = defineRule({
  code: "EVE1204",
  severity: "warning",
  title: "Code that does something else than it says",
  description:
    "esbuild, which makes the bundles, knows constructs that are legal and hardly ever meant: comparisons that are always false, keys that stand twice, imports that are undefined. They are reported for files of the application, in bodies and steps alike.",
  bad: `if (total === NaN) return "none";`,
  good: `if (Number.isNaN(total)) return "none";`,
});

/** @param text what esbuild says; `advice`: what it says besides */
export function bundlerWarning(text: string, advice: readonly string[]): Finding {
  return {
    rule: bundlerWarningRule,
    message: sentence(text),
    ...(advice.length === 0 ? {} : { help: advice.map(sentence).join(" ") }),
  };
}

function sentence(text: string): string {
  return /[.!?:]$/.test(text) ? text : `${text}.`;
}
