import { defineRule, type Finding } from "./rule.js";

export const unresolvedImportRule = defineRule({
  code: "EVE1201",
  severity: "error",
  title: "Import that can't be resolved",
  description:
    "An import that a workflow or step module needs leads to no file. It would otherwise fail at run time, maybe in the middle of a run.",
  bad: `import { three } from "./missing";`,
  good: `import { three } from "./three";`,
});

/**
 * @param specifier as written
 * @param importer file that holds the import, relative to the app root
 * @param tried files or aliases that were tried, in order
 */
export function unresolvedImport(
  specifier: string,
  importer: string,
  tried: readonly string[] = [],
): Finding {
  return {
    rule: unresolvedImportRule,
    message: `${JSON.stringify(specifier)}, imported by ${importer}, can't be resolved.`,
    help:
      tried.length > 0
        ? `Tried ${tried.join(", ")}. Correct the specifier, or install the package it names.`
        : /^[./#@~]/.test(specifier) && !specifier.startsWith("@")
          ? "Correct the path."
          : `Correct the specifier, install the package, or add the alias to "paths" in tsconfig.json.`,
  };
}

/** @param name export that the module doesn't have */
export function missingExport(name: string, specifier: string, importer: string): Finding {
  return {
    rule: unresolvedImportRule,
    message: `${JSON.stringify(specifier)} has no export "${name}", which ${importer} imports.`,
    help: "Correct the name, or export it there.",
  };
}
