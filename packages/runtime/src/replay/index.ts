export { createBody, type BodyOptions } from "./body.js";
export { bundleCache, compileWorkflowBundle, type CompileOptions, type WorkflowBundle } from "./bundle.js";
export { BodyStateError, BodyTimeoutError, BundleSyntaxError } from "./errors.js";
export type * from "./protocol.js";
