// Writes docs/rules.md from the rule catalogue of @eve/compiler. Run it after `npm run build` when a rule has changed.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RULES, renderRules } from "@eve/compiler";

const file = fileURLToPath(new URL("../docs/rules.md", import.meta.url));
writeFileSync(file, renderRules(RULES));
