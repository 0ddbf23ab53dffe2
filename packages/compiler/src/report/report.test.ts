import { readFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { expect, it } from "vitest";
import { build } from "../build/index.js";
import { SDK, testApp, toolText } from "../testing/app.js";
import type { BuildReport } from "./index.js";

const APP = {
  "agent/tools/a.ts": toolText("return [await lib.one(), total()];", {
    head: 'import * as lib from "../../lib";\nimport { total } from "../../lib/sum";',
  }),
  "agent/tools/b.ts": toolText('return "</script><!--";'),
  "lib/index.ts": 'export * from "./steps";\nexport { spare } from "./spare";\n',
  "lib/steps.ts": `import { deep } from "./spare";
export async function one() { "use step"; return deep(); }
export async function two() { "use step"; }
`,
  "lib/spare.ts": 'export async function spare() { "use step"; }\nexport const deep = () => 1;\n',
  "lib/sum.ts": "import { add } from './add';\nexport const total = () => add(1, 2);\n",
  "lib/add.ts": "export const add = (a: number, b: number) => a + b;\n",
};

it("tells who reaches what, and what the bundles hold and why", async () => {
  const root = testApp(APP);
  const { report: page = "", buildId } = await build({ root, sdk: SDK, evaluate: false, report: true });
  const report = JSON.parse(
    readFileSync(path.join(path.dirname(page), "report.json"), "utf8"),
  ) as BuildReport;
  expect(report.buildId).toBe(buildId);
  const [a, b] = report.workflows;
  expect(a).toMatchObject({
    tool: "a",
    steps: ["step//./lib/steps//one"],
    modules: ["agent/tools/a.ts", "lib/add.ts", "lib/steps.ts", "lib/sum.ts"],
  });
  expect(b).toMatchObject({ tool: "b", steps: [] });
  expect(report.steps.map(({ id, workflows }) => [id, workflows.length])).toEqual([
    ["step//./lib/spare//spare", 0],
    ["step//./lib/steps//one", 1],
    ["step//./lib/steps//two", 0],
  ]);
  const [bodies, server] = report.bundles;
  expect(bodies?.name).toBe("workflow.cjs");
  expect(bodies?.modules.find(({ name }) => name === "lib/add.ts")?.chain).toEqual([
    { module: "agent/tools/a.ts", specifier: "../../lib/sum" },
    { module: "lib/sum.ts", specifier: "./add" },
  ]);
  expect(server?.modules.map(({ name }) => name)).toContain("lib/spare.ts");
  for (const { bytes, modules } of report.bundles) {
    expect(modules.reduce((sum, module) => sum + module.bytes, 0)).toBeLessThanOrEqual(bytes);
  }
  const again = await build({ root, sdk: SDK, evaluate: false, report: true });
  expect(again.report).toBe(page);
});

it("is one page whose data can't break out of it, and whose script is valid", async () => {
  const root = testApp({ ...APP, "lib/</script>.ts": "export const x = 1;\n" });
  const { report: page = "" } = await build({ root, sdk: SDK, evaluate: false, report: true });
  const html = readFileSync(page, "utf8");
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  expect(html).not.toMatch(/(?:src|href)=/);
  const scripts = [...html.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => text);
  expect(JSON.parse(scripts[0] ?? "")).toHaveProperty("version", 1);
  expect(() => new vm.Script(scripts[1] ?? "")).not.toThrow();
});

it("counts in words that fit the number", async () => {
  const root = testApp({ "agent/tools/a.ts": toolText("return 1;") });
  const { report: page = "" } = await build({ root, sdk: SDK, evaluate: false, report: true });
  const [, data = "", script = ""] =
    /<script type="application\/json" id="data">([\s\S]*?)<\/script>\s*<script>([\s\S]*?)<\/script>/.exec(
      readFileSync(page, "utf8"),
    ) ?? [];
  const element = (): Record<string, unknown> => ({
    children: [] as unknown[],
    style: {},
    textContent: data,
    setAttribute: () => undefined,
    append(...added: unknown[]) {
      (this["children"] as unknown[]).push(...added);
    },
    replaceChildren(...added: unknown[]) {
      this["children"] = added;
    },
  });
  const elements = new Map<string, ReturnType<typeof element>>();
  const document = {
    createElement: element,
    getElementById: (id: string) => {
      if (!elements.has(id)) elements.set(id, element());
      return elements.get(id);
    },
  };
  vm.runInNewContext(script, { document });
  expect(String(elements.get("build")?.["children"])).toMatch(/: 1 tool, 1 workflow, 0 steps$/);
});
