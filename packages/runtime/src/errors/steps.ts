import { RuntimeError } from "./base.js";

/** A step used something of its tool context that only bodies have. Another attempt can't do better. */
export class ContextMisuseError extends RuntimeError {
  readonly code = "CONTEXT_MISUSE";

  constructor(name: string, action: string) {
    super(`ctx.${name} isn't available in a step: ${action}.`);
  }
}
