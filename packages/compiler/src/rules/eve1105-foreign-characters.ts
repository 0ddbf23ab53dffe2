import { defineRule, type Finding } from "./rule.js";

export const foreignCharactersRule = defineRule({
  code: "EVE1105",
  severity: "warning",
  title: "Id with characters that `@workflow/core` refuses",
  description:
    "eve accepts any file name. `@workflow/core` allows `A-Za-z0-9_-./@()[]` in a workflow id, so a bundle with other characters wouldn't run there.",
  bad: `agent/tools/café.ts`,
  good: `agent/tools/cafe.ts`,
});

export function foreignCharactersInId(id: string, characters: readonly string[]): Finding {
  return {
    rule: foreignCharactersRule,
    message: `The workflow id ${id} holds ${characters.map((c) => JSON.stringify(c)).join(", ")}, which @workflow/core refuses.`,
    help: "Rename the file or function if the bundle is meant to run on @workflow/core, too.",
  };
}
