const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const VALUES = new Uint8Array(128);
for (let digit = 0; digit < DIGITS.length; digit++) VALUES[DIGITS.charCodeAt(digit)] = digit;

/** A place in the mappings of a source map. */
export interface Cursor {
  text: string;
  at: number;
}

/** Reads the field that begins at the cursor (base64 variable-length quantity) and moves behind it. */
export function decodeField(cursor: Cursor): number {
  let value = 0;
  let shift = 0;
  let digit: number;
  do {
    digit = VALUES[cursor.text.charCodeAt(cursor.at++)] ?? 0;
    value |= (digit & 31) << shift;
    shift += 5;
  } while ((digit & 32) !== 0);
  return (value & 1) === 1 ? -(value >>> 1) : value >>> 1;
}

/** A segment as text. */
export function encodeFields(fields: readonly number[]): string {
  let text = "";
  for (const field of fields) {
    let value = field < 0 ? (-field << 1) | 1 : field << 1;
    do {
      const digit = value & 31;
      value >>>= 5;
      text += DIGITS[value > 0 ? digit | 32 : digit];
    } while (value > 0);
  }
  return text;
}
