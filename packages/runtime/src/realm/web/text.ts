import { host } from "../border.js";

/** UTF-8 bytes of a text; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let i = 0; i < text.length; i += 1) {
    let code = text.codePointAt(i) as number;
    if (code > 0xffff) i += 1;
    if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
    if (code < 0x80) {
      bytes[length++] = code;
    } else if (code < 0x800) {
      bytes[length++] = 0xc0 | (code >> 6);
      bytes[length++] = 0x80 | (code & 63);
    } else if (code < 0x10000) {
      bytes[length++] = 0xe0 | (code >> 12);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
      bytes[length++] = 0x80 | (code & 63);
    } else {
      bytes[length++] = 0xf0 | (code >> 18);
      bytes[length++] = 0x80 | ((code >> 12) & 63);
      bytes[length++] = 0x80 | ((code >> 6) & 63);
      bytes[length++] = 0x80 | (code & 63);
    }
  }
  return bytes.slice(0, length);
}

/** Text of UTF-8 bytes, without a byte order mark; malformed bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decode(bytes, "utf-8", false, false);
}

/** Bytes go over the border as a text of the code points 0–255. */
export function byteText(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) {
    text += String.fromCharCode.apply(null, bytes.subarray(i, i + 8192) as unknown as number[]);
  }
  return text;
}

function decode(bytes: Uint8Array, encoding: string, fatal: boolean, ignoreBOM: boolean): string {
  const text = host.decodeText(byteText(bytes), encoding, fatal, ignoreBOM);
  if (text !== undefined) return text;
  throw Object.assign(new TypeError(`The encoded data was not valid for encoding ${encoding}.`), {
    code: "ERR_ENCODING_INVALID_ENCODED_DATA",
  });
}

class RealmTextEncoder {
  get encoding(): string {
    return "utf-8";
  }

  encode(text = ""): Uint8Array {
    return encodeUtf8(String(text));
  }

  encodeInto(text: string, into: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of String(text)) {
      const bytes = encodeUtf8(character);
      if (written + bytes.length > into.length) break;
      into.set(bytes, written);
      written += bytes.length;
      read += character.length;
    }
    return { read, written };
  }

  get [Symbol.toStringTag](): string {
    return "TextEncoder";
  }
}

/** How many bytes at the end begin a UTF-8 character that isn't complete. */
function incompleteTail(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] as number;
    if ((byte & 0xc0) === 0x80) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > back ? back : 0;
  }
  return 0;
}

class RealmTextDecoder {
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  #kept = new Uint8Array(0);
  #begun = false;

  constructor(label = "utf-8", options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const encoding = host.encodingName(String(label));
    if (encoding === undefined)
      throw new RangeError(`The encoding ${JSON.stringify(label)} isn't supported.`);
    this.encoding = encoding;
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const stream = Boolean(options.stream);
    if ((stream || this.#kept.length > 0) && this.encoding !== "utf-8") {
      throw new TypeError(
        `In a workflow body only utf-8 can be decoded piece by piece, not ${this.encoding}.`,
      );
    }
    const given = input === undefined ? new Uint8Array(0) : viewed(input);
    const bytes = new Uint8Array(this.#kept.length + given.length);
    bytes.set(this.#kept);
    bytes.set(given, this.#kept.length);
    const tail = stream ? incompleteTail(bytes) : 0;
    this.#kept = bytes.slice(bytes.length - tail);
    // Only the very first bytes can be a byte order mark.
    const ignoreBOM = this.ignoreBOM || this.#begun;
    this.#begun = stream && (this.#begun || bytes.length > tail);
    return decode(bytes.subarray(0, bytes.length - tail), this.encoding, this.fatal, ignoreBOM);
  }

  get [Symbol.toStringTag](): string {
    return "TextDecoder";
  }
}

function viewed(input: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (input instanceof ArrayBuffer) return new Uint8Array(input);
  throw new TypeError("decode() takes an ArrayBuffer or a view of one.");
}

export { RealmTextDecoder as TextDecoder, RealmTextEncoder as TextEncoder };
