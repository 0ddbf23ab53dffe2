import { defineRule, type Finding } from "./rule.js";

export const duplicateIdRule = defineRule({
  code: "EVE1101",
  severity: "error",
  title: "Two functions with one id",
  description:
    "Ids come from a module's path without its extension and the function's name. `a.ts` beside `a.js`, or two copies of one package version, give two functions one id; a run in flight could resume in the wrong one.",
  bad: `// lib/send.ts\nexport async function send() { "use step"; }\n\n// lib/send.js\nexport async function send() { "use step"; }`,
  good: `// lib/send.ts\nexport async function send() { "use step"; }\n\n// lib/send-legacy.js\nexport async function send() { "use step"; }`,
});

/**
 * @param id the id that both have
 * @param file the one it is reported at
 * @param other the other one, relative to the app root
 */
export function duplicateId(id: string, file: string, other: string): Finding {
  const same = file === other;
  return {
    rule: duplicateIdRule,
    message: same
      ? `Two functions in ${file} have the id ${id}.`
      : `${file} and ${other} both define the id ${id}.`,
    help: same ? "Rename one of the functions." : "Rename one of the functions, or one of the files.",
  };
}
