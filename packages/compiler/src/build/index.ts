export { build, check, type BuildResult, type CheckResult } from "./build.js";
export { CompilerError, type CompilerErrorCode } from "./compiler-error.js";
export type { BaselineOptions, BuildOptions, CheckOptions } from "./options.js";
export { checkIds, lockIds, type IdsResult } from "./ids.js";
