import type { Plugin } from "./esbuild.js";

const INJECTED = "eve-node-globals";

/** What an ES module doesn't have and CommonJS code uses freely. esbuild takes of it only what is used. */
const GLOBALS = `import { fileURLToPath } from "node:url";
export const __filename = fileURLToPath(import.meta.url);
export const __dirname = fileURLToPath(new URL(".", import.meta.url)).replace(/[\\\\/]$/, "");
`;

/** Value of esbuild's `inject` that goes with `nodeGlobalsPlugin`. */
export const INJECT = [INJECTED];

/** Gives free uses of `__filename` and `__dirname` a meaning; names that the author declares stay the author's. */
export const nodeGlobalsPlugin: Plugin = {
  name: INJECTED,
  setup(build) {
    build.onResolve({ filter: new RegExp(`^${INJECTED}$`) }, () => ({
      path: "globals",
      namespace: INJECTED,
      sideEffects: false,
    }));
    build.onLoad({ filter: /.*/, namespace: INJECTED }, () => ({ contents: GLOBALS, loader: "js" }));
  },
};

/** Lines to put before a bundle whose CommonJS parts call `require` at run time. */
export function requireBanner(code: string): { text: string; lines: number } {
  if (!code.includes("Dynamic require of ")) return { text: "", lines: 0 };
  const text = `import { createRequire as __eveCreateRequire } from "node:module";
const require = __eveCreateRequire(import.meta.url);
`;
  return { text, lines: 2 };
}
