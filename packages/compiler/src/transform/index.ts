export { emitModule, type EmitOptions } from "./emit.js";
export { assertEveryDirectiveCompiled } from "./self-check.js";
