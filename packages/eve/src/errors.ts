/**
 * A `define…` function was called with something it can't take. `code` is `INVALID_DEFINITION`, or
 * `NOT_AVAILABLE` for what this version doesn't offer.
 */
export class DefinitionError extends TypeError {
  override readonly name = "DefinitionError";
  readonly code: "INVALID_DEFINITION" | "NOT_AVAILABLE";

  constructor(message: string, code: "INVALID_DEFINITION" | "NOT_AVAILABLE" = "INVALID_DEFINITION") {
    super(message);
    this.code = code;
  }
}
