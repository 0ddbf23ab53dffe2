import { host } from "../border.js";
import { DOMException } from "../events/exception.js";

/** Base64 of a text of the code points 0–255. */
export function btoa(data: unknown): string {
  const text = host.btoa(String(data));
  if (text !== undefined) return text;
  throw new DOMException("btoa() takes characters up to U+00FF only.", "InvalidCharacterError");
}

export function atob(data: unknown): string {
  const text = host.atob(String(data));
  if (text !== undefined) return text;
  throw new DOMException("The text is not correctly encoded base64.", "InvalidCharacterError");
}
