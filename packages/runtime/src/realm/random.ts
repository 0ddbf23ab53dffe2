/**
 * Randomness of a body: drawn from the run's seed, so that a replay draws the same. ChaCha20 (RFC 8439),
 * because bodies make ids and tokens with it: who sees some must not be able to work out the next.
 */
import { start } from "./state.js";

const CONSTANTS = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

function quarterRound(s: Uint32Array, a: number, b: number, c: number, d: number): void {
  const rotate = (x: number, n: number) => (x << n) | (x >>> (32 - n));
  const at = (i: number) => s[i] as number;
  s[a] = at(a) + at(b);
  s[d] = rotate(at(d) ^ at(a), 16);
  s[c] = at(c) + at(d);
  s[b] = rotate(at(b) ^ at(c), 12);
  s[a] = at(a) + at(b);
  s[d] = rotate(at(d) ^ at(a), 8);
  s[c] = at(c) + at(d);
  s[b] = rotate(at(b) ^ at(c), 7);
}

function block(input: Uint32Array): Uint32Array {
  const state = input.slice();
  for (let round = 0; round < 10; round += 1) {
    for (let i = 0; i < 4; i += 1) quarterRound(state, i, i + 4, i + 8, i + 12);
    for (let i = 0; i < 4; i += 1) {
      quarterRound(state, i, 4 + ((i + 1) & 3), 8 + ((i + 2) & 3), 12 + ((i + 3) & 3));
    }
  }
  for (let i = 0; i < 16; i += 1) state[i] = (state[i] as number) + (input[i] as number);
  return state;
}

/** An endless stream of 32-bit words. Streams of one seed with different `nonce` have nothing in common. */
export function randomWords(seedHex: string, nonce: number): () => number {
  const input = new Uint32Array(16);
  input.set(CONSTANTS);
  for (let i = 0; i < 8; i += 1) {
    // 16 bytes of seed fill the key of 32 twice, as the 128-bit variant of the cipher has it.
    input[4 + i] = Number.parseInt(seedHex.slice((i % 4) * 8, (i % 4) * 8 + 8), 16);
  }
  input[13] = nonce;
  let words = new Uint32Array(0);
  let used = 0;
  return () => {
    if (used === words.length) {
      words = block(input) as Uint32Array<ArrayBuffer>;
      input[12] = (input[12] as number) + 1;
      used = 0;
    }
    return words[used++] as number;
  };
}

/** Replaces `Math.random`. */
export function installRandom(): void {
  let next: (() => number) | undefined;
  Math.random = function random() {
    next ??= randomWords(start.seed, 1);
    return ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000;
  };
}
