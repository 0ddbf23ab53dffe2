import path from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const REALM = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../packages/runtime/src/realm");

const OPTIONS = {
  bundle: true,
  write: false,
  format: "iife",
  platform: "neutral",
  mainFields: ["module", "main"],
  target: "node20",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
};

/**
 * In a part, an import from outside its folder is one of what the realm has already: `core("state")` for
 * `realm/state.ts`, `core("events")` for anything in `realm/events/`.
 */
function importsFromCore(part) {
  return {
    name: "eve-realm-core",
    setup(build) {
      build.onResolve({ filter: /^\.\.?\// }, ({ path: id, resolveDir, namespace }) => {
        if (namespace !== "file") return undefined;
        const [first] = path.relative(REALM, path.resolve(resolveDir, id)).split(path.sep);
        if (first === part) return undefined;
        if (first === "..") throw new Error(`realm/${part} imports ${id}, which isn't part of the realm`);
        return { path: first.replace(/\.js$/, ""), namespace: "core" };
      });
      build.onLoad({ filter: /.*/, namespace: "core" }, ({ path: name }) => ({
        contents: `module.exports = core(${JSON.stringify(name)});`,
      }));
    },
  };
}

/** `virtual:eve-realm/<part>`: a function that evaluates the folder `realm/<part>/` when it is called. */
const parts = {
  name: "eve-realm-parts",
  setup(build) {
    build.onResolve({ filter: /^virtual:eve-realm\// }, ({ path: id }) => ({ path: id, namespace: "part" }));
    build.onLoad({ filter: /.*/, namespace: "part" }, async ({ path: id }) => {
      const part = id.split("/").pop();
      const result = await esbuild.build({
        ...OPTIONS,
        entryPoints: [path.join(REALM, part, "main.ts")],
        globalName: "part",
        plugins: [importsFromCore(part)],
      });
      return { contents: `export default (core) => { ${result.outputFiles[0].text}; return part; };` };
    });
  },
};

/** Bundles the code that runs inside a replay context into one script and gives its text. */
async function realmSource() {
  const result = await esbuild.build({
    ...OPTIONS,
    entryPoints: [path.join(REALM, "main.ts")],
    plugins: [parts],
  });
  return result.outputFiles[0].text;
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
        contents: await realmSource(),
        loader: "text",
        watchDirs: [REALM],
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
      id === "\0eve-realm" ? `export default ${JSON.stringify(await realmSource())}` : undefined,
  };
}
