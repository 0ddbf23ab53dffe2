/** An option of a call of a `define…` function. */
export interface DefinitionOption {
  readonly factory: string;
  readonly option: string;
}

/**
 * A `define…` function was called with something it can't take. `code` is `INVALID_DEFINITION`, or
 * `NOT_AVAILABLE` for what this version doesn't offer. `about` names the option, where it is about one.
 */
export class DefinitionError extends TypeError {
  override readonly name = "DefinitionError";
  readonly code: "INVALID_DEFINITION" | "NOT_AVAILABLE";
  declare readonly about?: DefinitionOption;

  constructor(
    message: string,
    code: "INVALID_DEFINITION" | "NOT_AVAILABLE" = "INVALID_DEFINITION",
    about?: DefinitionOption,
  ) {
    super(message);
    this.code = code;
    if (about !== undefined) this.about = about;
  }

  /** An option that is missing, unknown or malformed. */
  static of(factory: string, option: string, message: string): DefinitionError {
    return new DefinitionError(message, "INVALID_DEFINITION", { factory, option });
  }
}
