import { defineRule, type Finding } from "./rule.js";

export const idDriftRule = defineRule({
  code: "EVE1104",
  severity: "error",
  title: "Id that changed against the lock file",
  description:
    "With `--frozen-ids`, every id in `eve.ids.json` must still exist, or be named as the former id of one that does. A run stays on the build that started it as long as that build's copy is in the data folder. Wherever it has to go on without that (on another machine, with another data folder, when CI replays a recorded run), a renamed or moved function is a new one to it, and an alias leads it there.",
  bad: `// eve.ids.json lists workflow//./agent/tools/deploy//execute; the file is now agent/tools/release.ts`,
  good: `{ "aliases": { "workflow//./agent/tools/deploy//execute": "workflow//./agent/tools/release//execute" } }`,
});

/**
 * @param id the id that is locked and gone
 * @param candidate a new id of the same kind that may be its successor
 */
export function vanishedId(id: string, candidate?: string): Finding {
  return {
    rule: idDriftRule,
    message: `The id ${id} is locked in eve.ids.json, but no function has it any more: a run that has to go on without the build that started it (on another machine, in a replay) would not find it.`,
    help:
      candidate === undefined
        ? `Restore the function or, if no run needs it any more, run eve ids lock.`
        : `If it was renamed or moved, add to "aliases" in eve.ids.json: ${JSON.stringify(id)}: ${JSON.stringify(candidate)}`,
  };
}

export function unlockedId(id: string): Finding {
  return {
    rule: idDriftRule,
    message: `The id ${id} isn't in eve.ids.json.`,
    help: "Run eve ids lock and commit the file.",
  };
}

/** An alias whose target doesn't exist, or whose former id still does. */
export function brokenAlias(from: string, to: string, why: "no-target" | "still-there"): Finding {
  return {
    rule: idDriftRule,
    message:
      why === "no-target"
        ? `The alias ${from} in eve.ids.json leads to ${to}, which no function has.`
        : `The alias ${from} in eve.ids.json is the id of a function that still exists.`,
    help:
      why === "no-target" ? "Correct the alias, or remove it." : "Remove the alias, or rename the function.",
  };
}
