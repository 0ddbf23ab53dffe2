import { readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { describe, expect, test } from "vitest";
import { build } from "../build/index.js";
import { out, SDK, testApp, toolText } from "../testing/app.js";
import { runTool } from "../testing/run-tool.js";
import { temporaryFolder, type Files } from "../testing/temporary.js";

async function built(files: Files, options: { minify?: boolean } = {}): Promise<string> {
  const root = testApp(files);
  const { diagnostics, ok } = await build({ root, sdk: SDK, evaluate: false, ...options });
  expect(ok, JSON.stringify(diagnostics, undefined, 2)).toBe(true);
  return root;
}

const noted = (name: string): string => `(globalThis.evaluated ??= []).push(${JSON.stringify(name)});`;

const pkg = (name: string, text: string, more: Record<string, unknown> = {}): Files => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: "1.0.0", type: "module", ...more }),
  [`node_modules/${name}/index.js`]: text,
});

/** Which of the noting packages a workflow evaluates. */
async function evaluatedBy(root: string, tool: string): Promise<unknown> {
  const code = readFileSync(out(root, "workflow.cjs"), "utf8");
  const context = vm.createContext({});
  vm.runInContext(`(function () {${code}\n})()`, context);
  const run = `globalThis.__private_workflows.get("workflow//./agent/tools/${tool}//execute")()`;
  await vm.runInContext(run, context);
  return JSON.parse(String(vm.runInContext("JSON.stringify(globalThis.evaluated ?? [])", context)));
}

describe.each([false, true])("minify: %s", (minify) => {
  const files: Files = {
    ...pkg("bigkit", `import { base } from "basekit"; ${noted("bigkit")} export const big = () => base + 1;`),
    ...pkg("basekit", `${noted("basekit")} export let base = 1; export const raise = () => { base++; };`),
    ...pkg("oldkit", `${noted("oldkit")} undeclaredName = 7; exports.old = () => undeclaredName;`, {
      type: "commonjs",
    }),
    "agent/tools/plain.ts": toolText("return add(1);", { head: 'import { add } from "../../lib/add";' }),
    "agent/tools/big.ts": toolText("return add(big());", {
      head: 'import { big } from "bigkit";\nimport { add } from "../../lib/add";',
    }),
    "agent/tools/base.ts": toolText("raise(); return base;", {
      head: 'import { base, raise } from "basekit";',
    }),
    "agent/tools/old.ts": toolText("return old();", { head: 'import { old } from "oldkit";' }),
    "lib/add.ts": "export function add(n: number): number { return n + 1; }\n",
  };

  test("a workflow evaluates the packages it uses, and no others", async () => {
    const root = await built(files, { minify });
    expect(await evaluatedBy(root, "plain")).toEqual([]);
    expect(await evaluatedBy(root, "big")).toEqual(["basekit", "bigkit"]);
    expect(await evaluatedBy(root, "base")).toEqual(["basekit"]);
    expect(await evaluatedBy(root, "old")).toEqual(["oldkit"]);
    const code = readFileSync(out(root, "workflow.cjs"), "utf8");
    expect(code.split('push("basekit")')).toHaveLength(2);
  });

  test("bindings stay live, modules strict, and CommonJS as it was", async () => {
    const root = await built(
      {
        ...files,
        "agent/tools/strict.ts": toolText("return who();", {
          head: "function who() { return this === undefined; }",
        }),
      },
      { minify },
    );
    expect((await runTool(root, "base")).output).toBe(2);
    expect((await runTool(root, "old")).output).toBe(7);
    expect((await runTool(root, "strict")).output).toBe(true);
  });

  test("modules are evaluated in the order of their imports, however many workflows share them", async () => {
    const shared = 'import { list } from "../../lib/list";\nimport "../../lib/all";\n';
    const root = await built(
      {
        "lib/list.ts": "export const list: string[] = [];\n",
        "lib/first.ts": 'import { list } from "./list";\nlist.push("first");\nexport const first = 1;\n',
        "lib/all.ts": 'import { list } from "./list";\nlist.push("all");\nexport const all = list.join();\n',
        "agent/tools/a.ts": toolText("return [first, all, list];", {
          head: 'import { first } from "../../lib/first";\nimport { all } from "../../lib/all";\nimport { list } from "../../lib/list";',
        }),
        "agent/tools/b.ts": toolText("return [all, list];", {
          head: `import { all } from "../../lib/all";\n${shared}`,
        }),
      },
      { minify },
    );
    expect((await runTool(root, "a")).output).toEqual([1, "first,all", ["first", "all"]]);
    expect((await runTool(root, "b")).output).toEqual(["all", ["all"]]);
  });

  test("places in all closures are mapped to the author's", async () => {
    const marks = ["aaa-mark", "bbb-mark", "ccc-mark"];
    const body = (mark: string): string => `if (Date.now() < 0) throw new Error("${mark}"); return tell();`;
    const head = 'import { tell } from "../../lib/tell";\nimport { big } from "bigkit";';
    const root = await built(
      {
        ...files,
        "lib/tell.ts": 'import { big } from "bigkit";\n\nexport const tell = () => ["ccc-mark", big()];\n',
        "agent/tools/a.ts": toolText(body("aaa-mark"), { head }),
        "agent/tools/b.ts": toolText(body("bbb-mark"), { head }),
      },
      { minify },
    );
    const code = readFileSync(out(root, "workflow.cjs"), "utf8").split("\n");
    const map = new TraceMap(readFileSync(out(root, "workflow.cjs.map"), "utf8"));
    for (const mark of marks) {
      const line = code.findIndex((text) => text.includes(`"${mark}"`));
      const found = originalPositionFor(map, {
        line: line + 1,
        column: code[line]?.indexOf(`"${mark}"`) ?? 0,
      });
      expect(found.source, mark).not.toBeNull();
      const text = readFileSync(path.join(root, found.source ?? ""), "utf8").split("\n")[
        (found.line ?? 0) - 1
      ];
      expect(text?.slice(found.column ?? 0), mark).toMatch(new RegExp(`^"${mark}"`));
    }
  });
});

test("names of closures don't depend on where the application lies", async () => {
  const files: Files = {
    "agent/tools/a.ts": toolText("return one();", { head: 'import { one } from "../../lib/one";' }),
    "agent/tools/b.ts": toolText("return one();", { head: 'import { one } from "../../lib/one";' }),
    "lib/one.ts": 'import { kit } from "kit";\nexport const one = () => kit;\n',
  };
  const texts: string[] = [];
  for (const depth of ["a", "much/deeper/down"]) {
    const kit = `${depth}/node_modules/kit`;
    const store = temporaryFolder({
      [`${kit}/package.json`]: '{"name":"kit","version":"1.0.0","type":"module"}',
      [`${kit}/index.js`]: "export let kit = 1;",
    });
    const app = testApp({ ...files, "node_modules/.keep": "" });
    symlinkSync(path.join(store, kit), path.join(app, "node_modules/kit"));
    expect((await build({ root: app, sdk: SDK, evaluate: false })).ok).toBe(true);
    texts.push(readFileSync(out(app, "workflow.cjs"), "utf8"));
  }
  expect(texts[1]).toBe(texts[0]);
  expect(texts[0]).not.toMatch(/chunk-(?!\d{8})/);
});

test("a class that steps may return is evaluated when an instance comes, not before", async () => {
  const root = await built({
    ...pkg("bigkit", `${noted("bigkit")} export const big = 1;`),
    "lib/box.ts": `import { big } from "bigkit";
export class Box {
  size = big;
  static [Symbol.for("workflow-serialize")]() { return 1; }
  static [Symbol.for("workflow-deserialize")]() { return new Box(); }
}
`,
    "lib/fill.ts":
      'import { Box } from "./box";\nexport async function fill() { "use step"; return new Box(); }\n',
    "agent/tools/a.ts": toolText("return typeof fill;", { head: 'import { fill } from "../../lib/fill";' }),
  });
  expect(await evaluatedBy(root, "a")).toEqual([]);
  const code = readFileSync(out(root, "workflow.cjs"), "utf8");
  const context = vm.createContext({});
  vm.runInContext(`(function () {${code}\n})()`, context);
  const registry = 'globalThis[Symbol.for("workflow-class-registry")]';
  const get = (id: string): string => `${registry}.get(${JSON.stringify(id)})`;
  expect(vm.runInContext(`[${get("class//./lib/box//Nobody")}, globalThis.evaluated].join()`, context)).toBe(
    ",",
  );
  expect(vm.runInContext(`new (${get("class//./lib/box//Box")})().size`, context)).toBe(1);
  const server = readFileSync(out(root, "server.mjs"), "utf8");
  expect(server).toContain('.set("class//./lib/box//Box", Box)');
});

test("packages may import their own modules when they run, and ask where they are", async () => {
  const root = await built({
    ...pkg(
      "latekit",
      'export const where = typeof import.meta.url; export const late = () => import("./late.js");',
    ),
    "node_modules/latekit/late.js": "export let times = 0; export default () => ++times;",
    "agent/tools/a.ts": toolText(
      "const first = await late(); first.default(); return [where, (await late()).times];",
      { head: 'import { late, where } from "latekit";' },
    ),
  });
  expect((await runTool(root, "a")).output).toEqual(["undefined", 1]);
});

test("a package that waits while it is loaded is a finding", async () => {
  const root = testApp({
    ...pkg("waitkit", "export const x = await Promise.resolve(1);"),
    "agent/tools/a.ts": toolText("return x;", { head: 'import { x } from "waitkit";' }),
  });
  const { diagnostics } = await build({ root, sdk: SDK, evaluate: false });
  expect(diagnostics).toMatchObject([{ code: "EVE1203", file: "node_modules/waitkit/index.js", line: 1 }]);
});
