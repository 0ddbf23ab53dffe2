import { defineRule, type Finding } from "./rule.js";

export const unsupportedImportRule = defineRule({
  code: "EVE1203",
  severity: "error",
  title: "Import that a body can't carry out",
  description:
    "A body is one synchronous script without a module loader: it can't `import()` at run time, wait for a module's top-level `await`, or load a file that no loader is set for.",
  bad: `async execute() {\n  "use workflow";\n  const { plan } = await import("../lib/plan");\n  return plan();\n}`,
  good: `import { plan } from "../lib/plan";\n\nasync execute() {\n  "use workflow";\n  return plan();\n}`,
});

export function dynamicImportInBody(specifier: string | undefined): Finding {
  return {
    rule: unsupportedImportRule,
    message: `import(${specifier === undefined ? "…" : JSON.stringify(specifier)}) is reached by a workflow body, which can't load modules while it runs.`,
    help: `Import it at the top of the file, or call import() in a function with "use step".`,
  };
}

export function topLevelAwaitInBody(file: string): Finding {
  return {
    rule: unsupportedImportRule,
    message: `The top-level await in ${file} is reached by a workflow body, which is evaluated without waiting.`,
    help: `Move what needs the await behind a function with "use step", or into a module that only steps import.`,
  };
}

export function noLoader(specifier: string, extension: string): Finding {
  return {
    rule: unsupportedImportRule,
    message: `No loader is set for ${extension} files, so ${JSON.stringify(specifier)} can't be bundled.`,
    help: `Write with { type: "text" } behind the import to get its text, or read the file in a function with "use step".`,
  };
}
