import { defineRule, type Finding } from "./rule.js";

export const toolNameRule = defineRule({
  code: "EVE1103",
  severity: "error",
  title: "Tool name that is illegal, reserved or taken",
  description:
    "A tool is named after its path below `tools/`, with `/` as `-`. Model providers accept letters, digits, `_` and `-`, at most 64 of them, starting with a letter; `eve__` is kept for eve's own tools; each name belongs to one file.",
  bad: `agent/tools/2fa.ts\nagent/tools/eve__wait.ts\nagent/tools/a/b.ts beside agent/tools/a-b.ts`,
  good: `agent/tools/two-factor.ts\nagent/tools/wait.ts\nagent/tools/a/b.ts`,
});

export function illegalToolName(name: string): Finding {
  return {
    rule: toolNameRule,
    message: `"${name}" is no legal tool name: it must start with a letter, hold only letters, digits, _ and -, and be at most 64 characters long.`,
    help: "Rename the file.",
  };
}

export function reservedToolName(name: string): Finding {
  return {
    rule: toolNameRule,
    message: `The tool name "${name}" is reserved: names that start with eve__ belong to eve's own tools.`,
    help: "Rename the file.",
  };
}

/** @param other the other file, relative to the app root */
export function takenToolName(name: string, other: string): Finding {
  return {
    rule: toolNameRule,
    message: `The tool name "${name}" is also the one of ${other}.`,
    help: "Rename one of the two files.",
  };
}
