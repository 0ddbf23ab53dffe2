/** How large a value may be that a body gives to an operation. */
import { ValueTooLargeError } from "./errors.js";
import { start } from "./state.js";

/**
 * An encoded value that may leave the body.
 * @param what and `name` say whose value it is: "The arguments of step", its id.
 * @throws ValueTooLargeError where the body gave it.
 */
export function fitting(text: string, what: string, name = ""): string {
  const { valueSize = Infinity } = start;
  if (text.length <= valueSize) return text;
  const whose = name === "" ? what : `${what} ${name}`;
  const size = `${text.length} characters once encoded, and the limit is ${valueSize}`;
  throw new ValueTooLargeError(
    `${whose} can't be carried: ${size}. Store the data somewhere and pass a reference to it.`,
  );
}
