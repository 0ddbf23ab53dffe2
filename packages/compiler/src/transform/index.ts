export type { CallSites } from "./call-sites.js";
export { emitModule, type EmitOptions } from "./emit.js";
export { assertEveryDirectiveCompiled } from "./self-check.js";
