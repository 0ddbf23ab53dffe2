import { defineRule, type Finding } from "./rule.js";

export const suppressionRule = defineRule({
  code: "EVE3002",
  severity: "warning",
  title: "Suppression that is malformed or not needed",
  description:
    "`// eve-ignore-next-line CODE -- reason` silences one rule on the next line. The reason is required, since the next reader has to judge it, and a suppression that silences nothing hides the next finding.",
  bad: `// eve-ignore-next-line EVE2005\nconst at = Date.now();`,
  good: `// eve-ignore-next-line EVE2005 -- the log's time is what we want to show\nconst at = Date.now();`,
});

export function suppressionWithoutReason(code: string): Finding {
  return {
    rule: suppressionRule,
    message: `This suppression of ${code} gives no reason, so it isn't applied.`,
    help: `Write // eve-ignore-next-line ${code} -- and why the finding doesn't matter here.`,
  };
}

export function suppressionUnknown(code: string): Finding {
  return {
    rule: suppressionRule,
    message: code === "" ? "This suppression names no rule." : `"${code}" is no rule that can be suppressed.`,
    help: `Write // eve-ignore-next-line EVE2005 -- reason, with the code of the finding.`,
  };
}

export function suppressionUnused(code: string): Finding {
  return {
    rule: suppressionRule,
    message: `This suppression of ${code} silences nothing: there is no such finding on the next line.`,
    help: "Remove the comment.",
  };
}
