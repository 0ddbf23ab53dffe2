import process from "node:process";
import { expect, test } from "vitest";
import { checkSeed } from "../testing/faults.js";

/** `scripts/faults.mjs` runs thousands; each push some. */
const SEEDS = Number(process.env.EVE_FAULT_SEEDS ?? 150);
const FIRST = Number(process.env.EVE_FAULT_FIRST ?? 1);

test(
  `crashes, repeated deliveries and clock jumps change nothing (${SEEDS} seeds)`,
  { timeout: 20_000 + SEEDS * 1_000 },
  async () => {
    let crashes = 0;
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      try {
        crashes += await checkSeed(seed);
      } catch (error) {
        throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      }
    }
    expect(crashes).toBeGreaterThan(SEEDS / 4);
  },
);
