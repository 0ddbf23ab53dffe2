import { randomFillSync } from "node:crypto";

/** Random parts of a run; tests replace them by counters. */
export interface Identifiers {
  /** @param now epoch milliseconds. */
  runId(now: number): string;
  /** At least 128 bits: whoever knows it can resume the hook. */
  token(): string;
  /** 16 bytes in hex. */
  seed(): string;
}

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Random bytes drawn ahead: a draw of its own takes more of the start of a run than everything else about its id. */
const pool = Buffer.alloc(1024);
let used = pool.length;

/** 16 random bytes, never given before. */
function randomBytes(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = Buffer.from(pool.subarray(used, used + 16));
  // What was given isn't left lying about.
  pool.fill(0, used, (used += 16));
  return bytes;
}

/** `wrun_` and a ULID: 48 bits of time, so that ids sort by start, and 80 random bits. */
export const randomIdentifiers: Identifiers = {
  runId(now) {
    let time = "";
    for (let left = Math.max(0, Math.floor(now)), n = 0; n < 10; n += 1) {
      time = ALPHABET.charAt(left % 32) + time;
      left = Math.floor(left / 32);
    }
    let random = "";
    for (const byte of randomBytes()) random += ALPHABET.charAt(byte % 32);
    return `wrun_${time}${random}`;
  },
  token: () => randomBytes().toString("base64url"),
  seed: () => randomBytes().toString("hex"),
};
