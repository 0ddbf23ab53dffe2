import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { realmTextVite } from "./scripts/realm-text.mjs";

const packages = path.join(path.dirname(fileURLToPath(import.meta.url)), "packages");
const source = (file: string) => path.join(packages, file);

export default defineConfig({
  plugins: [realmTextVite()],
  resolve: {
    // Tests run from the sources, so that a failure points into them.
    alias: [
      { find: /^@eve\/compiler$/, replacement: source("compiler/src/index.ts") },
      { find: /^@eve\/compiler\/(esbuild|babel)$/, replacement: source("compiler/src/plugins/$1.ts") },
      { find: /^@eve\/runtime$/, replacement: source("runtime/src/index.ts") },
      { find: /^eve$/, replacement: source("eve/src/index.ts") },
      { find: /^eve\/tools$/, replacement: source("eve/src/tools/index.ts") },
      { find: /^eve\/internal\/symbols$/, replacement: source("eve/src/symbols.ts") },
      { find: /^eve\/(evals|esbuild|babel|tools\/.+)$/, replacement: source("eve/src/$1.ts") },
    ],
  },
  test: {
    include: ["packages/*/src/**/*.test.ts", "fixtures/*.test.ts", "scripts/**/*.test.ts"],
    testTimeout: 20_000,
    pool: "forks",
  },
});
