import { describe, expect, test } from "vitest";
import { analyse } from "../testing/analyse.js";

describe("a tool's default export", () => {
  const HEAD = 'import { defineWorkflowTool } from "eve/tools";\n';
  const BODY = 'description: "d", inputSchema: {}, async execute() { "use workflow"; }';

  test.each<[string, string]>([
    ["direct", `${HEAD}export default defineWorkflowTool({ ${BODY} });`],
    ["renamed", `import { defineWorkflowTool as w } from "eve/tools";\nexport default w({ ${BODY} });`],
    ["namespace", `import * as t from "eve/tools";\nexport default t.defineWorkflowTool({ ${BODY} });`],
    [
      "namespace by text",
      `import * as t from "eve/tools";\nexport default t["defineWorkflowTool"]({ ${BODY} });`,
    ],
    ["constant", `${HEAD}const w = defineWorkflowTool;\nexport default w({ ${BODY} });`],
    [
      "casts",
      `${HEAD}export default (defineWorkflowTool({ ${BODY} } as never) satisfies object as unknown)!;`,
    ],
    ["later", `${HEAD}const tool = defineWorkflowTool({ ${BODY} });\nexport default tool;`],
    ["as default", `${HEAD}const tool = defineWorkflowTool({ ${BODY} });\nexport { tool as default };`],
    [
      "definition kept apart",
      `${HEAD}const definition = { ${BODY} };\nexport default defineWorkflowTool(definition);`,
    ],
    ["type argument", `${HEAD}export default defineWorkflowTool<never>({ ${BODY} });`],
    ["arrow", `${HEAD}export default defineWorkflowTool({ execute: async () => { "use workflow"; } });`],
    [
      "function",
      `${HEAD}export default defineWorkflowTool({ "execute": async function* named() { "use workflow"; } });`,
    ],
    [
      "template key",
      `${HEAD}export default defineWorkflowTool({ [\`execute\`]: (async () => { "use workflow"; })! });`,
    ],
    [
      "local",
      `${HEAD}export default defineWorkflowTool({ execute });\nasync function execute() { "use workflow"; }`,
    ],
  ])("%s", (_, text) => {
    const { tool, diagnostics, directives } = analyse(text, "agent/tools/a.ts", "tool");
    expect(diagnostics).toEqual([]);
    expect(tool).toMatchObject({ factory: "defineWorkflowTool", entryPoint: "execute", directive: 0 });
    expect(directives).toMatchObject([{ kind: "workflow", name: "execute" }]);
  });

  test.each<[string, string, string]>([
    [
      "another package's factory",
      'import { defineWorkflowTool } from "other";\nexport default defineWorkflowTool({});',
      "EVE1010",
    ],
    [
      "a shadowed factory",
      "const defineWorkflowTool = (x: object) => x;\nexport default defineWorkflowTool({});",
      "EVE1010",
    ],
    [
      "a getter",
      `${HEAD}export default defineWorkflowTool({ get execute() { return async () => {}; } });`,
      "EVE1010",
    ],
    [
      "a condition",
      `${HEAD}export default defineWorkflowTool({ execute: true ? f : f });\nasync function f() { "use workflow"; }`,
      "EVE1010",
    ],
    [
      "an unknown key",
      `${HEAD}export default defineWorkflowTool({ [key()]: 1 });\nfunction key() { return "execute"; }`,
      "EVE1010",
    ],
    ["a re-exported tool", 'export { default } from "../other";', "EVE1010"],
    [
      "an arrow constant",
      `${HEAD}const f = async () => { "use workflow"; };\nexport default defineWorkflowTool({ execute: f });`,
      "EVE1004",
    ],
  ])("%s is refused", (_, text, code) => {
    const { diagnostics } = analyse(text, "agent/tools/a.ts", "tool");
    expect(diagnostics.map((finding) => finding.code)).toEqual([code]);
  });

  test("imported entry points are told by binding", () => {
    const text = `${HEAD}import { run } from "./a";\nimport * as lib from "./b";\n`;
    const tool = (entry: string): unknown =>
      analyse(`${text}export default defineWorkflowTool({ ${entry} });`).tool?.imported;
    expect(tool("execute: run")).toEqual({ local: "run" });
    expect(tool("task: lib.run")).toEqual({ local: "lib", member: "run" });
  });

  test("descriptions and schemas are read as far as they are constant", () => {
    const { tool } = analyse(`${HEAD}
const text = "Plan " + \`a trip\`;
const shared = { a: { type: "string" } } as const;
export default defineWorkflowTool({
  description: text,
  inputSchema: { type: "object", properties: { ...shared, "b-c": { minimum: -1, enum: [null, true] } } },
  async serve() { "use workflow"; },
});`);
    expect(tool?.description).toBe("Plan a trip");
    expect(tool?.inputSchemaLiteral).toEqual({
      type: "object",
      properties: { a: { type: "string" }, "b-c": { minimum: -1, enum: [null, true] } },
    });
    expect(tool?.inputKeys?.map((key) => key.name)).toEqual(["a", "b-c"]);
  });

  test("a schema that runs code is not read", () => {
    const { tool } = analyse(
      `${HEAD}export default defineWorkflowTool({ inputSchema: make({ a: 1 }), async task() { "use workflow"; } });\nfunction make(x: object) { return x; }`,
    );
    expect(tool?.inputSchemaLiteral).toBeUndefined();
    expect(tool?.inputKeys).toBeUndefined();
  });
});
