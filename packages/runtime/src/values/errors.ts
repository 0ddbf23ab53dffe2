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

/**
 * What is said of a value that is too large.
 *
 * @param what whose value it is: `The result of step deploy`
 * @param size in characters; undefined when it wasn't encoded to its end
 */
export function tooLarge(what: string, size: number | undefined, limit: number): string {
  const found =
    size === undefined
      ? `more than ${limit} characters once encoded, which is too many`
      : `${size} characters once encoded, and the limit is ${limit}`;
  return `${what} can't be carried: ${found}.`;
}

/** A value takes more than the limit once it is encoded, or is noticed to while it is. */
export class OversizeError extends Error {
  override readonly name = "ValueTooLargeError";
  readonly code = "VALUE_TOO_LARGE";

  constructor(what: string, limit: number, size?: number) {
    super(`${tooLarge(what, size, limit)} Store the data somewhere and pass a reference to it.`);
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
