// What eve's builds are measured by: esbuild alone on the same two entry points, with the options eve uses.
// `node plain-esbuild.mjs both|server <app> <out> <module…>`: modules relative to the app. Nothing is checked, sliced or
// transformed; packages stay outside both bundles, which is less work than eve has with the body's bundle.
import path from "node:path";
import * as esbuild from "esbuild";
import { dist } from "../lib/paths.mjs";

const [bundles, app, out, ...modules] = process.argv.slice(2);
const contents = modules.map((module, n) => `export * as m${n} from "./${module}";`).join("\n");

const shared = {
  absWorkingDir: app,
  stdin: { contents, resolveDir: app, sourcefile: "entry.ts", loader: "ts" },
  bundle: true,
  sourcemap: true,
  target: "node20",
  packages: "external",
  logLevel: "error",
  alias: {
    eve: dist("eve", "index.js"),
    "eve/tools": dist("eve", "tools.js"),
    workflow: dist("eve", "workflow/body.js"),
  },
  define: { "process.env.NODE_ENV": '"production"' },
};

await Promise.all([
  bundles === "both" &&
    esbuild.build({
      ...shared,
      platform: "neutral",
      format: "cjs",
      external: ["node:*"],
      outfile: path.join(out, "workflow.cjs"),
    }),
  esbuild.build({ ...shared, platform: "node", format: "esm", outfile: path.join(out, "server.mjs") }),
]);
