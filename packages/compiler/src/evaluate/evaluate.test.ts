import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { build, check, type CheckResult } from "../build/index.js";
import { SDK, testApp } from "../testing/app.js";
import type { Files } from "../testing/temporary.js";

const installed = (name: string): string =>
  fileURLToPath(new URL(`../../../../node_modules/${name}`, import.meta.url));

/** An app that can import zod, or what stands for it. */
function zodApp(files: Files, zod = "zod"): string {
  const root = testApp(files);
  mkdirSync(path.join(root, "node_modules"), { recursive: true });
  symlinkSync(installed(zod), path.join(root, "node_modules/zod"), "junction");
  return root;
}

const tool = (schema: string, { head = "", entry = "execute", description = '"A tool."' } = {}): string =>
  `import { defineWorkflowTool } from "eve/tools";
${head}
export default defineWorkflowTool({
  description: ${description},
  inputSchema: ${schema},
  async ${entry}() {
    "use workflow";
  },
});
`;

const checked = (files: Files, evaluate = true, zod = "zod"): Promise<CheckResult> =>
  check({ root: zodApp(files, zod), sdk: SDK, evaluate });
const codes = ({ diagnostics }: CheckResult): string[] =>
  diagnostics.map(({ code, line }) => `${code}:${line}`);
const Z = 'import { z } from "zod";';

describe("tool metadata", () => {
  it("describes schemas of zod 3, in both of its modules, as it describes those of zod 4", async () => {
    const schema = `z.object({
    name: z.string().min(1).describe("Who."),
    tries: z.number().int().default(3),
    at: z.object({ x: z.number() }).optional(),
    pair: z.tuple([z.string(), z.number()]),
    kind: z.enum(["a", "b"]),
    length: z.string().transform((text) => text.length),
    open: z.object({ y: z.string() }).passthrough(),
  })`;
    const files = {
      "agent/tools/three.ts": tool(schema, { head: Z, entry: "serve" }),
      "agent/tools/four.ts": tool(schema, { head: 'import { z } from "zod/v4";', entry: "serve" }),
    };
    const { manifest, diagnostics } = await checked(files, true, "zod3");
    expect(diagnostics).toEqual([]);
    expect(manifest.tools["three"]).toMatchObject({
      inputSchema: {
        type: "object",
        required: ["name", "pair", "kind", "length", "open"],
        additionalProperties: false,
        properties: {
          name: { type: "string", minLength: 1, description: "Who." },
          tries: { type: "integer", default: 3 },
          at: { type: "object", properties: { x: { type: "number" } }, additionalProperties: false },
          pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
          kind: { type: "string", enum: ["a", "b"] },
          length: { type: "string" },
          open: { type: "object", properties: { y: { type: "string" } }, required: ["y"] },
        },
      },
      modelInputSchema: { properties: { taskId: { type: "string" } } },
    });
    expect(manifest.tools["three"]?.inputSchema).not.toHaveProperty("$schema");
    expect(manifest.tools["four"]?.inputSchema).toMatchObject({
      properties: { name: { type: "string", description: "Who." }, kind: { enum: ["a", "b"] } },
    });
  });

  it("finds a taskId in a schema of zod 3", async () => {
    const head = `${Z}\nconst shape = Object.fromEntries([["taskId", z.string()]]);`;
    const schema = "z.object({ ...shape, name: z.string() })";
    expect(
      codes(await checked({ "agent/tools/a.ts": tool(schema, { head, entry: "serve" }) }, true, "zod3")),
    ).toEqual(["EVE1102:6"]);
  });

  it("describes library schemas as the model may fill them: closed objects, input types", async () => {
    const { manifest, diagnostics } = await checked({
      "agent/tools/a.ts": tool(
        `z.object({
    name: z.string().describe("Who."),
    tries: z.number().default(3),
    at: z.object({ x: z.number() }).optional(),
    open: z.looseObject({ y: z.string() }),
  })`,
        { head: `${Z}\nconst word = "computed";`, description: "`A ${word} tool.`" },
      ),
    });
    expect(diagnostics).toEqual([]);
    expect(manifest.tools["a"]).toMatchObject({
      kind: "workflow-tool",
      entryPoint: "execute",
      workflowId: "workflow//./agent/tools/a//execute",
      description: "A computed tool.",
      inputSchema: {
        type: "object",
        required: ["name", "open"],
        additionalProperties: false,
        properties: {
          name: { type: "string", description: "Who." },
          tries: { type: "number", default: 3 },
          at: { additionalProperties: false, required: ["x"] },
          open: { additionalProperties: {} },
        },
      },
    });
    expect(manifest.tools["a"]?.modelInputSchema).toEqual(manifest.tools["a"]?.inputSchema);
    expect(manifest.tools["a"]?.inputSchema).not.toHaveProperty("$schema");
  });

  it("passes a plain JSON Schema unchanged", async () => {
    const schema = { $schema: "x", type: "object", properties: { at: { type: "object", properties: {} } } };
    const { manifest } = await checked({ "agent/tools/a.ts": tool(JSON.stringify(schema)) });
    expect(manifest.tools["a"]?.inputSchema).toEqual(schema);
  });

  it("uses the Standard JSON Schema of any library", async () => {
    const schema = `{ "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }), jsonSchema: {
      input: ({ target }) => ({ type: "object", title: target, properties: {} }), output: () => ({}) } } }`;
    const { manifest } = await checked({ "agent/tools/a.ts": tool(schema) });
    expect(manifest.tools["a"]?.inputSchema).toEqual({
      type: "object",
      title: "draft-2020-12",
      properties: {},
      additionalProperties: false,
    });
  });

  it("adds an optional taskId for serve tools, and refuses one of the author's wherever it comes from", async () => {
    const serve = (schema: string, head = Z): string => tool(schema, { entry: "serve", head });
    const { manifest } = await checked({ "agent/tools/a.ts": serve("z.object({ q: z.string() })") });
    expect(manifest.tools["a"]?.modelInputSchema).toMatchObject({
      required: ["q"],
      properties: { q: {}, taskId: { type: "string" } },
    });
    expect(manifest.tools["a"]?.inputSchema).not.toHaveProperty("properties.taskId");
    const hidden = await checked({
      "agent/tools/a.ts": serve(
        "base.extend({ q: z.string() })",
        `${Z}\nimport { base } from "../../lib/base";`,
      ),
      "lib/base.ts": `${Z}\nexport const base = z.object({ taskId: z.string() });\n`,
    });
    expect(codes(hidden)).toEqual(["EVE1102:6"]);
  });

  it("reports a module that fails, at its definition, and still describes the others", async () => {
    const result = await checked({
      "agent/tools/a.ts": tool("z.object({})", { head: `${Z}\nthrow new RangeError("no database");` }),
      "agent/tools/b.ts": tool("z.object({})", { head: Z }),
    });
    expect(codes(result)).toEqual(["EVE1010:4"]);
    expect(result.diagnostics[0]?.message).toContain("RangeError: no database");
    expect(result.manifest.tools["b"]?.inputSchema).toMatchObject({ type: "object" });
  });

  it("finds out which module ends the process", async () => {
    const result = await checked({
      "agent/tools/a.ts": tool("z.object({})", { head: `${Z}\nprocess.exit(3);` }),
      "agent/tools/b.ts": tool("z.object({})", { head: Z }),
    });
    expect(result.diagnostics.map(({ code, file }) => `${code} ${file}`)).toEqual([
      "EVE1010 agent/tools/a.ts",
    ]);
    expect(result.manifest.tools["b"]?.description).toBe("A tool.");
  });

  it("isn't hindered by an agent that can't be loaded here", async () => {
    const result = await checked({
      "agent/agent.ts": 'throw new Error("no key");\nexport default {};\n',
      "agent/tools/a.ts": tool("z.object({ n: z.number() })", { head: Z }),
    });
    expect(result.diagnostics).toEqual([]);
    expect(result.manifest.tools["a"]?.inputSchema).toHaveProperty("properties.n");
  });

  it("reports options that only the definition itself can judge", async () => {
    const result = await checked({
      "agent/tools/a.ts": tool('{ type: "object" }').replace("description:", 'lable: "x",\n  description:'),
      "agent/tools/b.ts": tool('{ type: "object" }').replace("description:", "label: 1,\n  description:"),
      "agent/tools/c.ts": tool('{ type: "object" }').replace(/ {2}description:.*\n/, ""),
      "agent/tools/d.ts": tool("5 as never"),
      "agent/tools/e.ts": tool("shared").replace("export", 'const shared = { type: ["array"][0] };\nexport'),
      "agent/tools/f.ts": tool('{ type: "object" }', { head: 'import "../../lib/other";' }),
      "lib/other.ts": 'import { defineTool } from "eve/tools";\ndefineTool({ description: "" } as never);\n',
    });
    expect(result.diagnostics.every(({ code }) => code === "EVE1010")).toBe(true);
    expect(
      result.diagnostics.map(({ file, line, column, help }) => [`${file}:${line}:${column}`, help]),
    ).toEqual([
      ["agent/tools/a.ts:4:3", 'Correct "lable" here.'],
      ["agent/tools/b.ts:4:3", 'Correct "label" here.'],
      ["agent/tools/c.ts:3:16", 'Give the definition the option "description".'],
      ["agent/tools/d.ts:5:16", 'Correct "inputSchema" here.'],
      ["agent/tools/e.ts:6:16", 'Correct "inputSchema" here.'],
      [
        "agent/tools/f.ts:3:16",
        "Correct the call that the message names, here or in a module that this one imports.",
      ],
    ]);
    expect(result.diagnostics[0]?.message).toBe(
      'This tool can\'t be defined: defineWorkflowTool() has no option "lable". Did you mean "label"?',
    );
  });

  it("says of an error while loading what its kind tells", async () => {
    const fails = (head: string): string => tool("z.object({})", { head: `${Z}\n${head}` });
    const { diagnostics } = await checked({
      "agent/tools/a.ts": fails("absent();\ndeclare function absent(): void;"),
      "agent/tools/b.ts": fails("(undefined as any).trim();"),
      "agent/tools/c.ts": fails('throw new Error("connect\\n  ECONNREFUSED\\n");'),
    });
    expect(diagnostics.map(({ message, help }) => [message, help])).toEqual([
      [
        "Evaluating this tool's module fails: ReferenceError: absent is not defined.",
        "Correct what the error names, in this file or in one that it imports.",
      ],
      [
        expect.stringContaining("TypeError: Cannot read properties of undefined (reading 'trim')."),
        expect.stringMatching(/^Correct what the error names.*--no-evaluate\.$/),
      ],
      [
        "Evaluating this tool's module fails: Error: connect ECONNREFUSED.",
        "Make the module load without the services it works with, or build with --no-evaluate.",
      ],
    ]);
  });

  it.each([
    ["z.string()", "a string"],
    ["z.array(z.object({}))", "an array"],
    ["z.union([z.string(), z.null()])", "a string or null"],
    ["z.intersection(z.object({}), z.number())", "a number"],
    ['{ type: "integer" }', "an integer"],
    ['{ type: ["string", "null"] }', "a string or null"],
    ["own", "a boolean"],
  ])("refuses an input that is no object: %s", async (schema, what) => {
    const head = `${Z}\nconst own = { "~standard": { version: 1, vendor: "own", validate: (value) => ({ value }), jsonSchema: { input: () => ({ type: "boolean" }), output: () => ({}) } } };`;
    const files = {
      "agent/tools/a.ts": tool(schema, { head }),
      "agent/tools/b.ts": `import { defineTool } from "eve/tools";\n${head}\nexport default defineTool({ description: "b", inputSchema: ${schema}, execute() {} });\n`,
    };
    const { diagnostics } = await checked(files);
    expect(diagnostics).toMatchObject([
      { code: "EVE1010", file: "agent/tools/a.ts", line: 6, column: 16, endColumn: 16 + schema.length },
      { code: "EVE1010", file: "agent/tools/b.ts", line: 4, column: 60, endColumn: 60 + schema.length },
    ]);
    for (const { message } of diagnostics)
      expect(message).toBe(`This inputSchema describes ${what}, but a tool's input is a JSON object.`);
  });

  it.each([
    "z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])",
    "z.object({ a: z.string() }).and(z.object({ b: z.string() }))",
    'z.discriminatedUnion("k", [z.object({ k: z.literal("a") }), z.object({ k: z.literal("b") })])',
    "z.record(z.string(), z.number())",
    "z.object({}).nullable()",
    "z.any()",
    "z.lazy(() => z.object({}))",
  ])("takes an input that may be an object: %s", async (schema) => {
    expect(codes(await checked({ "agent/tools/a.ts": tool(schema, { head: Z }) }))).toEqual([]);
  });

  it("reports a schema that JSON Schema can't express, at the schema", async () => {
    const { diagnostics } = await checked({ "agent/tools/a.ts": tool("z.date()", { head: Z }) });
    expect(diagnostics).toMatchObject([
      {
        code: "EVE1010",
        line: 5,
        column: 16,
        message: expect.stringContaining("Date cannot be represented"),
      },
    ]);
  });

  it("drops what modules print, and leaves nothing running", async () => {
    const result = await checked({
      "agent/tools/a.ts": tool("z.object({})", {
        head: `${Z}\nconsole.log("noise");\nsetInterval(() => {}, 1000);\nprocess.stdout.write("more");`,
      }),
    });
    expect(result.diagnostics).toEqual([]);
  });

  it("runs no code of the app without evaluation", async () => {
    const files = {
      "agent/tools/a.ts": tool('{ type: "object", properties: { n: { type: "number" } } }', {
        head: 'throw new Error("ran");',
      }),
      "agent/tools/b.ts": tool("z.object({ n: z.number() })", { head: `${Z}\nthrow new Error("ran");` }),
    };
    const { diagnostics, manifest } = await checked(files, false);
    expect(diagnostics).toEqual([]);
    expect(manifest.tools["a"]).toMatchObject({ description: "A tool.", inputSchema: { type: "object" } });
    expect(manifest.tools["b"]).toMatchObject({ description: "A tool.", entryPoint: "execute" });
    expect(manifest.tools["b"]).not.toHaveProperty("inputSchema");
  });
});

it("evaluates again only what changed", async () => {
  const root = zodApp({
    "agent/tools/a.ts": tool("z.object({ n: z.number() })", {
      head: `${Z}\nimport { appendFileSync } from "node:fs";\nappendFileSync("ran.log", "x");`,
    }),
    "lib/word.ts": "",
  });
  const ran = (): number => readFileSync(path.join(root, "ran.log"), "utf8").length;
  await build({ root, sdk: SDK });
  await build({ root, sdk: SDK });
  expect(ran()).toBe(1);
  writeFileSync(path.join(root, "agent/instructions.md"), "Other words.");
  await build({ root, sdk: SDK });
  expect(ran()).toBe(2);
  await build({ root, sdk: SDK, minify: true });
  await build({ root, sdk: SDK, minify: true });
  expect(ran()).toBe(3);
});
