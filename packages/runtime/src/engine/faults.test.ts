import process from "node:process";
import { expect, test } from "vitest";
import { checkSeed, noFaults } from "../testing/faults.js";
import { summarise } from "../testing/fault-summary.js";

/** `scripts/faults.mjs` runs thousands; each push some. */
const SEEDS = Number(process.env.EVE_FAULT_SEEDS ?? 300);
const FIRST = Number(process.env.EVE_FAULT_FIRST ?? 1);

test(
  `crashes, repeated deliveries and clock jumps change nothing (${SEEDS} seeds)`,
  { timeout: 20_000 + SEEDS * 1_000 },
  async () => {
    const total = noFaults();
    const failures: string[] = [];
    for (let seed = FIRST; seed < FIRST + SEEDS; seed += 1) {
      try {
        const counts = await checkSeed(seed);
        for (const name of Object.keys(counts) as (keyof typeof counts)[]) total[name] += counts[name];
      } catch (error) {
        failures.push(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    summarise("simulated", { seeds: SEEDS, failed: failures.length, ...total });
    expect(failures).toEqual([]);
    expect(total.crashes).toBeGreaterThan(SEEDS / 4);
  },
);
