import path from "node:path";
import { expect, it } from "vitest";
import { testApp } from "../testing/app.js";
import { runTool } from "../testing/run-tool.js";
import { temporaryFolder } from "../testing/temporary.js";
import { build } from "./index.js";

it("compiles workflows that eve provides under ids of their own, outside the manifest", async () => {
  const sdk = temporaryFolder({
    "package.json": JSON.stringify({
      name: "eve",
      version: "9.9.9",
      type: "module",
      exports: { "./tools/nap": { default: "./dist/tools/nap.js" }, "./package.json": "./package.json" },
    }),
    "dist/tools/nap.js": 'export { nap } from "../chunk-A.js";\n',
    "dist/chunk-A.js": `import { hostname } from "node:os";
export const nap = () => ({ description: "Nap.", inputSchema: { type: "object" }, execute: napBody });
async function napBody() { "use workflow"; return [await rest(), new Date(0).getTime()]; }
async function rest() { "use step"; return typeof hostname(); }
`,
    "dist/workflow/body.js": "",
    "dist/workflow/host.js": "",
    "dist/workflow/api.js": "",
  });
  const root = testApp({
    "agent/tools/nap.ts": 'import { nap } from "eve/tools/nap";\nexport default nap();\n',
  });
  const { diagnostics, manifest } = await build({ root, sdk: { dir: sdk }, evaluate: false });
  expect(diagnostics.filter(({ code }) => code !== "EVE1010")).toEqual([]);
  expect(manifest.workflows).toEqual({});
  expect(manifest.steps).toEqual({});
  const { readFileSync } = await import("node:fs");
  const text = (name: string): string => readFileSync(path.join(root, ".eve/output", name), "utf8");
  expect(text("workflow.cjs")).toContain('"workflow//eve//napBody"');
  expect(text("workflow.cjs")).not.toContain("node:os");
  expect(text("server.mjs")).toContain('.set("step//eve//rest", rest)');
  const { output, steps } = await runTool(root, "nap", {}, "workflow//eve//napBody");
  expect(output).toEqual(["string", 0]);
  expect(steps).toEqual(["step//eve//rest"]);
});
