import { defineRule, type Finding } from "./rule.js";

export const externalDirectivesRule = defineRule({
  code: "EVE1202",
  severity: "error",
  title: "External package that holds directives",
  description:
    "An external package isn't compiled, so its steps would run as ordinary code inside the replayed body.",
  bad: `eve build --external stampkit   # stampkit has a "use step"`,
  good: `eve build`,
});

/** @param file the first file of the package with a directive, as \`<package>/<path>\` */
export function externalDirectives(name: string, file: string): Finding {
  return {
    rule: externalDirectivesRule,
    message: `The package "${name}" is external, but it holds directives (${file}), which would be ignored.`,
    help: `Remove "${name}" from the external packages, so that it is compiled.`,
  };
}

/** The package of an external import differs by the place it is resolved from. */
export function externalElsewhere(name: string, importer: string, here: string, there: string): Finding {
  return {
    rule: externalDirectivesRule,
    message: `"${name}", imported by ${importer}, can't stay external: from there it is ${here}, from the output folder ${there}.`,
    help: `Add "${name}" to the application's own dependencies in the same version, or let it be bundled.`,
  };
}
