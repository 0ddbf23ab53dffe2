/**
 * A value can't be carried across a durable boundary. The message names the place inside the value
 * (`args[0].user.save is a function`), so that it can be found without a debugger.
 */
export class SerializationError extends Error {
  override readonly name = "SerializationError";
  readonly code = "SERIALIZATION_FAILED";
  /** Place inside the value: `args[0].user.save`. */
  readonly path: string;

  constructor(path: string, reason: string, options?: ErrorOptions) {
    super(`${path} ${reason}`, options);
    this.path = path;
  }
}

/** A value takes more than the limit once it is encoded; noticed before it is. */
export class OversizeError extends Error {
  override readonly name = "ValueTooLargeError";
  readonly code = "VALUE_TOO_LARGE";

  /** @param limit from which on it wasn't encoded any further */
  constructor(root: string, limit: number) {
    super(
      `${root} can't be carried: more than ${limit} characters once encoded, which is too many. Store the data somewhere and pass a reference to it.`,
    );
  }
}

/** A recorded text isn't a value this version can read: damaged, or written by a newer one. */
export class ValueFormatError extends Error {
  override readonly name = "ValueFormatError";
  readonly code = "VALUE_FORMAT";

  constructor(reason: string, options?: ErrorOptions) {
    super(`A recorded value can't be read: ${reason}`, options);
  }
}
