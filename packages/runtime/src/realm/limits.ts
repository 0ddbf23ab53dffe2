/** How large a value may be that a body gives to an operation. */
import { OversizeError } from "../values/errors.js";
import { start } from "./state.js";

/**
 * An encoded value that may leave the body.
 * @param what and `name` say whose value it is: "The arguments of step", its id.
 * @throws OversizeError where the body gave it.
 */
export function fitting(text: string, what: string, name = ""): string {
  const { valueSize = Infinity } = start;
  if (text.length <= valueSize) return text;
  throw new OversizeError(name === "" ? what : `${what} ${name}`, valueSize, text.length);
}
