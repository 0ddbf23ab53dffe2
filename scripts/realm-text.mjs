import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const REALM = path.resolve(
  path.dirname(fileURLToPath(import.meta.url)),
  "../packages/runtime/src/realm/main.ts",
);

/** Bundles the code that runs inside a replay context into one script and gives its text. */
async function realmSource() {
  const result = await esbuild.build({
    entryPoints: [REALM],
    bundle: true,
    write: false,
    format: "iife",
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
  });
  return { text: result.outputFiles[0].text };
}

/** esbuild plugin: `import source from "virtual:eve-realm"` gives the realm's script as a string. */
export function realmText() {
  return {
    name: "eve-realm-text",
    setup(build) {
      build.onResolve({ filter: /^virtual:eve-realm$/ }, ({ path: id }) => ({
        path: id,
        namespace: "realm",
      }));
      build.onLoad({ filter: /.*/, namespace: "realm" }, async () => ({
        contents: (await realmSource()).text,
        loader: "text",
        watchDirs: [path.dirname(REALM)],
      }));
    },
  };
}

/** The same for vite (tests run from the sources). */
export function realmTextVite() {
  return {
    name: "eve-realm-text",
    resolveId: (id) => (id === "virtual:eve-realm" ? "\0eve-realm" : undefined),
    load: async (id) =>
      id === "\0eve-realm" ? `export default ${JSON.stringify((await realmSource()).text)}` : undefined,
  };
}
