/** Bodies of requests and responses. They are bytes from the start: nothing streams through a replayed body. */
import { decodeUtf8, encodeUtf8 } from "./text.js";
import { URLSearchParams } from "./url.js";

export type BodyInit = string | ArrayBuffer | ArrayBufferView | URLSearchParams | null;

export interface Content {
  bytes: Uint8Array | null;
  /** The content type a body of this form gets when the author names none. */
  type?: string;
}

export function contentOf(init: unknown): Content {
  if (init === undefined || init === null) return { bytes: null };
  if (init instanceof URLSearchParams) {
    return { bytes: encodeUtf8(init.toString()), type: "application/x-www-form-urlencoded;charset=UTF-8" };
  }
  if (init instanceof ArrayBuffer) return { bytes: new Uint8Array(init.slice(0)) };
  if (ArrayBuffer.isView(init)) {
    return { bytes: new Uint8Array(init.buffer, init.byteOffset, init.byteLength).slice() };
  }
  if (typeof init === "object" && Object.prototype.toString.call(init) !== "[object Object]") {
    const kind = Object.prototype.toString.call(init).slice(8, -1);
    throw new TypeError(`A ${kind} can't be a body here: pass text, bytes or URLSearchParams.`);
  }
  return { bytes: encodeUtf8(String(init)), type: "text/plain;charset=UTF-8" };
}

/** What `Request` and `Response` have in common. */
export abstract class BodyHolder {
  #bytes: Uint8Array | null;
  #used = false;

  constructor(bytes: Uint8Array | null) {
    this.#bytes = bytes;
  }

  get bodyUsed(): boolean {
    return this.#used;
  }

  /** Null without a body. With one: a replayed body reads it as a whole, so there is no stream. */
  get body(): null {
    if (this.#bytes === null) return null;
    throw new TypeError(
      "In a workflow body there are no body streams: use text(), json(), bytes() or arrayBuffer(), or read it in a step.",
    );
  }

  async bytes(): Promise<Uint8Array> {
    return this.#take();
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return this.#take().slice().buffer as ArrayBuffer;
  }

  async text(): Promise<string> {
    return decodeUtf8(this.#take());
  }

  async json(): Promise<unknown> {
    return JSON.parse(decodeUtf8(this.#take()));
  }

  async formData(): Promise<never> {
    throw new TypeError(
      "formData() isn't available in a workflow body: read a form with `new URLSearchParams(await request.text())`, and multipart bodies in a step.",
    );
  }

  async blob(): Promise<never> {
    throw new TypeError("blob() isn't available in a workflow body: use bytes().");
  }

  #take(): Uint8Array {
    const bytes = contents(this);
    this.#used = true;
    return bytes ?? new Uint8Array(0);
  }

  /** The bytes, to copy or to carry them. @throws TypeError when they were read already. */
  static contents(holder: BodyHolder): Uint8Array | null {
    if (holder.#used) throw new TypeError("The body was already read; clone() it before reading it twice.");
    return holder.#bytes;
  }
}

export const contents = BodyHolder.contents;
delete (BodyHolder as { contents?: unknown }).contents;
