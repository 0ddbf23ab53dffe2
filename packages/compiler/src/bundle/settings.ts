/** Lowest Node.js release that outputs run on. */
export const TARGET = "node20.19";

/** Both bundles look at the same fields and conditions, so that a module has one identity. */
export const MAIN_FIELDS = ["module", "main"];
export const BUNDLE_CONDITIONS: string[] = ["module"];

/** Names of the published files. */
export const WORKFLOW_FILE = "workflow.cjs";
export const SERVER_FILE = "server.mjs";
