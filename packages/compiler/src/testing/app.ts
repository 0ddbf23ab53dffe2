import path from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder, type Files } from "./temporary.js";

/** The eve package of this workspace; its bundles must have been built. */
export const SDK = { dir: fileURLToPath(new URL("../../../eve", import.meta.url)) };

/** A minimal app: an agent and these files. Returns its root. */
export function testApp(files: Files): string {
  return temporaryFolder({
    "package.json": JSON.stringify({ name: "case-app", private: true, type: "module" }),
    "tsconfig.json": JSON.stringify({ compilerOptions: { module: "ESNext", moduleResolution: "Bundler" } }),
    "agent/instructions.md": "Be brief.",
    ...files,
  });
}

/** The text of a workflow tool whose body is given. */
export function toolText(body: string, { head = "", tail = "" } = {}): string {
  return `import { defineWorkflowTool } from "eve/tools";
${head}
export default defineWorkflowTool({
  description: "A tool.",
  inputSchema: { type: "object", properties: {} },
  async execute() {
    "use workflow";
    ${body}
  },
});
${tail}
`;
}

export const out = (root: string, name: string): string => path.join(root, ".eve/output", name);
