import { writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";

/** Leaves figures of a fault test for `scripts/faults.mjs`, which names the folder in `EVE_FAULT_SUMMARY`. */
export function summarise(name: string, figures: Readonly<Record<string, number>>): void {
  const dir = process.env.EVE_FAULT_SUMMARY;
  if (dir !== undefined) writeFileSync(path.join(dir, `${name}.json`), JSON.stringify(figures));
}
