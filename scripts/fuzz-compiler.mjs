// A long campaign of the compiler's fuzz tests: node scripts/fuzz-compiler.mjs [runs, default 20000] [seed]
// `npm test` runs a short one. What it finds becomes a fixture below fixtures/transform or fixtures/rules.
import { spawn } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const [runs = "20000", seed] = process.argv.slice(2);
if (!/^[1-9]\d*$/.test(runs)) {
  console.error(`"${runs}" is no number of runs. Write node scripts/fuzz-compiler.mjs 20000`);
  process.exit(2);
}
if (seed !== undefined && !/^-?\d+$/.test(seed)) {
  console.error(
    `"${seed}" is no seed. Take the number that the failure names: node scripts/fuzz-compiler.mjs ${runs} -42`,
  );
  process.exit(2);
}
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
const tests = ["fuzz.test.ts", "call-sites.fuzz.test.ts"].map(
  (name) => `packages/compiler/src/transform/${name}`,
);
const child = spawn(process.execPath, [vitest, "run", ...tests, "--testTimeout", "86400000"], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, EVE_FUZZ_RUNS: runs, ...(seed === undefined ? {} : { EVE_FUZZ_SEED: seed }) },
});
child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
