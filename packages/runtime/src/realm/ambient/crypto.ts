/** `crypto` of a body: what needs no waiting, from the run's seed. */
import { notHere } from "../errors.js";
import { randomWords } from "../random.js";
import { start } from "../state.js";
import { DOMException } from "../events/exception.js";

const INTEGER_VIEWS = /^(?:Int|Uint|BigInt|BigUint)(?:8|16|32|64)(?:Clamped)?Array$/;
const hex = (byte: number) => byte.toString(16).padStart(2, "0");

function createCrypto(): object {
  const next = randomWords(start.seed, 2);

  function getRandomValues<View extends ArrayBufferView>(view: View): View {
    const tag = Object.prototype.toString.call(view).slice(8, -1);
    if (!INTEGER_VIEWS.test(tag)) {
      throw new DOMException("getRandomValues() takes a typed array of integers.", "TypeMismatchError");
    }
    if (view.byteLength > 65536) {
      throw new DOMException("getRandomValues() fills at most 65,536 bytes.", "QuotaExceededError");
    }
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let i = 0; i < bytes.length; i += 4) {
      const word = next();
      for (let j = 0; j < 4 && i + j < bytes.length; j += 1) bytes[i + j] = word >>> (8 * j);
    }
    return view;
  }

  function randomUUID(): string {
    const bytes = getRandomValues(new Uint8Array(16));
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    const text = Array.from(bytes, hex).join("");
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join(
      "-",
    );
  }

  // Looking for it is harmless (packages do), using it isn't possible: its results would come at any time.
  const subtle = new Proxy(
    {},
    {
      get: (_, name) => async () => {
        throw notHere(`crypto.subtle.${String(name)}()`, 'Do it in a "use step" function.');
      },
    },
  );
  return { getRandomValues, randomUUID, subtle, [Symbol.toStringTag]: "Crypto" };
}

export const crypto = createCrypto();
