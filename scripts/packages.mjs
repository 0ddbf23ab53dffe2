/**
 * The packages and their entries: output name → source below `src/`. `uses` is the dependency
 * direction that `check-dependencies.mjs` enforces.
 */
export const PACKAGES = [
  {
    name: "compiler",
    id: "@eve/compiler",
    uses: [],
    entries: {
      index: "index.ts",
      esbuild: "plugins/esbuild.ts",
      babel: "plugins/babel.ts",
    },
  },
  {
    name: "eve",
    id: "eve",
    // Only the two plugin entries re-export the compiler; what authors import at run time does not.
    uses: ["@eve/compiler"],
    usesOnlyFrom: { "@eve/compiler": ["esbuild.ts", "babel.ts"] },
    entries: {
      index: "index.ts",
      tools: "tools/index.ts",
      "tools/approval": "tools/approval.ts",
      "tools/workflow": "tools/workflow.ts",
      evals: "evals.ts",
      symbols: "symbols.ts",
      esbuild: "esbuild.ts",
      babel: "babel.ts",
      "workflow/body": "workflow/body.ts",
      "workflow/host": "workflow/host.ts",
      "workflow/api": "workflow/api.ts",
      "workflow/serde": "workflow/serde.ts",
    },
  },
  { name: "runtime", id: "@eve/runtime", uses: ["eve"], entries: { index: "index.ts" } },
  {
    name: "cli",
    id: "@eve/cli",
    uses: ["@eve/compiler", "@eve/runtime", "eve"],
    entries: { index: "index.ts" },
  },
];
