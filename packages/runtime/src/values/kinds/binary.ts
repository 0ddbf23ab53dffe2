import type { ValueKind } from "./kind.js";

interface ViewPayload {
  type: string;
  bytes: ArrayBuffer;
}

const VIEWS = globalThis as unknown as Record<string, new (buffer: ArrayBuffer) => unknown>;

/**
 * A view of a part of a buffer. Only its own bytes are carried: the rest of the buffer may hold anything, and
 * in Node often does. Views of a whole buffer are devalue's.
 */
export const viewKind: ValueKind = {
  tag: "View",

  reduce(value) {
    if (!ArrayBuffer.isView(value) || value.byteLength === value.buffer.byteLength) return undefined;
    const bytes = new Uint8Array(value.byteLength);
    bytes.set(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    const type = Object.prototype.toString.call(value).slice(8, -1);
    return { type, bytes: bytes.buffer } satisfies ViewPayload;
  },

  revive({ type, bytes }: ViewPayload) {
    const View = /^(?:DataView|[A-Z][A-Za-z0-9]*Array)$/.test(type) ? VIEWS[type] : undefined;
    if (!View) throw new TypeError(`this Node.js has no ${type}`);
    return new View(bytes);
  },
};
