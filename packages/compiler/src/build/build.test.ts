import { cpSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { out, SDK, testApp, toolText } from "../testing/app.js";
import { temporaryFolder, writeFiles, type Files } from "../testing/temporary.js";
import { build, check, type BuildResult } from "./index.js";
import type { BuildOptions } from "./options.js";

const run = (root: string, options: Partial<BuildOptions> = {}): Promise<BuildResult> =>
  build({ root, sdk: SDK, evaluate: false, ...options });
const places = ({ diagnostics }: Pick<BuildResult, "diagnostics">): string[] =>
  diagnostics.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`);
const read = (root: string, name: string): string => readFileSync(out(root, name), "utf8");

const PUBLISHED = [
  "manifest.json",
  "workflow.cjs",
  "workflow.cjs.map",
  "server.mjs",
  "server.mjs.map",
  "build.json",
];

/** An app with most of what can leak a machine's paths: a module in the root, a workspace package, an installed one. */
const WIDE: Files = {
  "package.json": JSON.stringify({ name: "wide", type: "module" }),
  "index.ts": 'export const motto = "root";\nexport async function rooted() { "use step"; return motto; }\n',
  "agent/tools/a.ts": toolText("return [motto, await rooted(), await lift(), pad(1)];", {
    head: `import { motto, rooted } from "../../index";
import { lift } from "@w/lift";
import { pad } from "padkit";`,
  }),
  "agent/tools/nested/b.ts": toolText('return "b";'),
  "packages/lift/package.json": JSON.stringify({
    name: "@w/lift",
    version: "1.2.3",
    exports: "./src/index.ts",
  }),
  "packages/lift/src/index.ts": 'export async function lift() { "use step"; return "lift"; }\n',
  "node_modules/padkit/package.json": JSON.stringify({ name: "padkit", version: "2.0.0", main: "index.js" }),
  "node_modules/padkit/index.js":
    "/*! licence of padkit */\nexports.pad = (n) => String(n).padStart(3, '0');\n",
};

function wideApp(dir: string): string {
  writeFiles(dir, { "agent/instructions.md": "Be wide.", ...WIDE });
  mkdirSync(path.join(dir, "node_modules/@w"), { recursive: true });
  symlinkSync("../../packages/lift", path.join(dir, "node_modules/@w/lift"));
  return dir;
}

describe("build", () => {
  it("gives the same bytes in every folder, whatever its name and depth", async () => {
    const one = wideApp(temporaryFolder());
    const two = wideApp(path.join(temporaryFolder(), "deep er/checkout"));
    for (const options of [{}, { minify: true }]) {
      expect(places(await run(one, options))).toEqual([]);
      expect(places(await run(two, options))).toEqual([]);
      for (const name of PUBLISHED) expect(read(two, name), name).toBe(read(one, name));
      for (const name of PUBLISHED) expect(read(one, name), name).not.toContain(path.basename(one));
    }
    const map = JSON.parse(read(one, "workflow.cjs.map")) as { sources: string[]; sourcesContent: string[] };
    expect(map.sources).toEqual(
      expect.arrayContaining([
        "index.ts",
        "agent/tools/a.ts",
        "@w/lift@1.2.3/src/index.ts",
        "padkit@2.0.0/index.js",
      ]),
    );
    expect(map.sourcesContent[map.sources.indexOf("index.ts")]).toBe(WIDE["index.ts"]);
  });

  it("publishes an output that runs without its sources", async () => {
    const root = testApp({
      "agent/tools/a.ts": toolText("return await act();", {
        tail: 'async function act() { "use step"; return import.meta.url.slice(0, 5) + typeof __dirname; }',
      }),
    });
    await run(root);
    const elsewhere = temporaryFolder();
    renameSync(path.join(root, ".eve/output"), path.join(elsewhere, "output"));
    const server = (await import(pathToFileURL(path.join(elsewhere, "output/server.mjs")).href)) as {
      eve: { version: number; instructions: string; tools: Record<string, { description: string }> };
    };
    expect(server.eve).toMatchObject({
      version: 1,
      instructions: "Be brief.",
      tools: { a: { description: "A tool." } },
    });
    const steps = (globalThis as Record<symbol, unknown>)[
      Symbol.for("@workflow/core//registeredSteps")
    ] as Map<string, () => Promise<unknown>>;
    expect(await steps.get("step//./agent/tools/a//act")?.()).toBe("file:string");
  });

  it("writes nothing and says so when nothing changed, and notices what did", async () => {
    const root = testApp({
      "agent/tools/a.ts": toolText("return await act();", { head: 'import { act } from "../../lib/act";' }),
      "lib/act.ts":
        'import { word } from "./word";\nexport async function act() { "use step"; return word; }\n',
      "lib/word.ts": 'export const word = "one";\n',
    });
    const first = await run(root);
    expect(first.written).toEqual(
      PUBLISHED.toSorted((a, b) => first.written.indexOf(a) - first.written.indexOf(b)),
    );
    const stats = PUBLISHED.map((name) => statSync(out(root, name), { bigint: true }).mtimeNs);
    const again = await run(root);
    expect(again).toMatchObject({ ok: true, written: [], buildId: first.buildId, manifest: first.manifest });
    expect((await run(root, { cache: false })).written).toEqual([]);
    expect(PUBLISHED.map((name) => statSync(out(root, name), { bigint: true }).mtimeNs)).toEqual(stats);

    writeFileSync(path.join(root, "lib/word.ts"), 'export const word = "two";\n');
    expect((await run(root)).written).toContain("server.mjs");
    writeFileSync(path.join(root, "lib/word.tsx"), 'export const word = "three";\n');
    expect((await run(root)).written).toContain("server.mjs");
    expect(read(root, "server.mjs")).toContain('"three"');
    writeFileSync(out(root, "workflow.cjs"), "damaged");
    expect((await run(root)).written).toEqual(["workflow.cjs"]);
  });

  it("keeps the last output when there are errors", async () => {
    const root = testApp({ "agent/tools/a.ts": toolText("return 1;") });
    await run(root);
    const before = PUBLISHED.map((name) => read(root, name));
    writeFileSync(path.join(root, "agent/tools/a.ts"), toolText('return 1; "use step";'));
    const failed = await run(root);
    expect(failed).toMatchObject({ ok: false, written: [] });
    expect(failed.buildId).toBeUndefined();
    expect(PUBLISHED.map((name) => read(root, name))).toEqual(before);
  });

  it("doesn't take a damaged or foreign cache for its own", async () => {
    const root = testApp({ "agent/tools/a.ts": toolText("return 1;") });
    await run(root);
    const expected = PUBLISHED.map((name) => read(root, name));
    for (const name of ["last-build.json", "analyses.json"]) {
      const file = path.join(root, ".eve/cache", name);
      const text = readFileSync(file, "utf8");
      for (const damaged of [text.slice(0, -3), text.replace(/[0-9]{2}/, "00"), "{}", ""]) {
        writeFileSync(file, damaged);
        writeFileSync(out(root, "build.json"), "{}");
        expect((await run(root)).ok).toBe(true);
        expect(PUBLISHED.map((output) => read(root, output))).toEqual(expected);
      }
    }
  });

  it("evaluates a workflow's module only when it is looked up", async () => {
    const root = testApp({
      "agent/tools/a.ts": toolText("return log;", {
        head: 'import { log } from "../../lib/log";\nlog.push("a");',
      }),
      "agent/tools/b.ts": toolText("return log;", {
        head: 'import { log } from "../../lib/log";\nlog.push("b");',
      }),
      "lib/log.ts": "export const log: string[] = [];\n",
    });
    await run(root);
    const vm = await import("node:vm");
    const context = vm.createContext({ module: { exports: {} } });
    vm.runInContext(read(root, "workflow.cjs"), context);
    const workflows = vm.runInContext("globalThis.__private_workflows", context) as Map<
      string,
      { (): Promise<string[]>; workflowId: string }
    >;
    const id = "workflow//./agent/tools/b//execute";
    const b = workflows.get(id);
    expect(b?.workflowId).toBe(id);
    expect([...((await b?.()) ?? [])]).toEqual(["b"]);
  });

  it("builds every member of an agent workspace", async () => {
    const root = temporaryFolder({
      "package.json": JSON.stringify({ name: "kitchens" }),
      "lib/oven.ts": 'export async function preheat() { "use step"; return 1; }\n',
      "agents/a/agent/tools/roast.ts": toolText("return await preheat();", {
        head: 'import { preheat } from "../../../../lib/oven";',
      }),
      "agents/b/agent/tools/boil.ts": toolText("return process.pid;"),
    });
    const result = await run(root);
    expect(places(result)).toEqual(["EVE2002 agents/b/agent/tools/boil.ts:8:12"]);
    expect(result.members?.map(({ ok }) => ok)).toEqual([true, false]);
    expect(Object.keys(result.manifest.steps)).toEqual(["a/step//kitchens/lib/oven@0.0.0//preheat"]);
    const inside = await run(path.join(root, "agents/a"));
    expect(inside.written).toEqual([]);
    expect(Object.keys(inside.manifest.workflows)).toEqual(["workflow//./agent/tools/roast//execute"]);
  });
});

describe("errors", () => {
  it("says what is missing or can't be", async () => {
    const empty = temporaryFolder({ "package.json": "{}" });
    await expect(run(empty)).rejects.toMatchObject({ code: "NO_APP_ROOT" });
    const root = testApp({ "agent/tools/a.ts": toolText("return 1;") });
    await expect(run(root, { external: ["./x"] })).rejects.toMatchObject({ code: "BAD_OPTION" });
    await expect(run(root, { out: "." })).rejects.toMatchObject({ code: "BAD_OPTION" });
    await expect(run(root, { sdk: { dir: "/nowhere" } })).rejects.toMatchObject({ code: "SDK_NOT_FOUND" });
    await expect(run(root, { frozenIds: true })).rejects.toMatchObject({ code: "BAD_IDS_LOCK" });
    writeFiles(root, { ".eve/blocked": "" });
    await expect(run(root, { out: ".eve/blocked/out" })).rejects.toMatchObject({ code: "OUTPUT_UNWRITABLE" });
  });
});

describe("check", () => {
  it("reports all faults of both sides in one run, and writes nothing", async () => {
    const root = testApp({
      "agent/tools/a.ts": toolText("return [await act(), Date.now()];", {
        head: 'import { act } from "../../lib/act";',
      }),
      "agent/tools/b.ts": toolText("return one;", { head: 'import { one } from "../../lib/gone";' }),
      "agent/tools/2c.ts": toolText("return 1;"),
      "lib/act.ts":
        'import { help } from "./help";\nexport async function act() { "use step"; return help(); }\n',
      "lib/help.ts": 'import "./missing";\nexport async function help() {\n  "use-step";\n}\n',
    });
    const result = await check({ root, sdk: SDK });
    expect(places(result)).toEqual([
      "EVE1103 agent/tools/2c.ts:1:1",
      "EVE2005 agent/tools/a.ts:8:26",
      "EVE1201 agent/tools/b.ts:2:21",
      "EVE1201 lib/help.ts:1:8",
      "EVE1002 lib/help.ts:3:3",
    ]);
    expect(result.summary).toEqual({ errors: 4, warnings: 1 });
    expect(statSync(path.join(root, ".eve"), { throwIfNoEntry: false })).toBeUndefined();
  });

  it("finds steps that only steps import, and workflows that only steps start", async () => {
    const root = testApp({
      "agent/tools/a.ts": toolText("return await act();", { head: 'import { act } from "../../lib/act";' }),
      "lib/act.ts": `import { start } from "workflow/api";
import { inner } from "./inner";
import { nightly } from "./nightly";
export async function act() { "use step"; await inner(); return (await start(nightly, [])).runId; }
`,
      "lib/inner.ts": 'export async function inner() { "use step"; }\n',
      "lib/nightly.ts": `import { deep } from "./deep";
export async function nightly() { "use workflow"; return await deep(); }
`,
      "lib/deep.ts": 'export async function deep() { "use step"; }\n',
    });
    const { manifest, ok } = await run(root);
    expect(ok).toBe(true);
    expect(Object.keys(manifest.steps)).toEqual(
      ["act", "deep", "inner"].map((name) => `step//./lib/${name}//${name}`),
    );
    expect(Object.keys(manifest.workflows)).toContain("workflow//./lib/nightly//nightly");
    expect(read(root, "workflow.cjs")).toContain("workflow//./lib/nightly//nightly");
    expect(read(root, "server.mjs")).toContain('"step//./lib/deep//deep"');
  });

  it("judges what survives tree shaking where a namespace is used", async () => {
    const root = testApp({
      "agent/tools/a.ts": toolText("return all.safe();", { head: 'import * as all from "../../lib/all";' }),
      "lib/all.ts": `import { pid } from "node:process";
export const safe = () => 1;
export const unsafe = () => process.env.HOME;
export const native = () => pid;
`,
    });
    expect(places(await check({ root, sdk: SDK }))).toEqual([]);
    writeFileSync(
      path.join(root, "agent/tools/a.ts"),
      toolText("return [all.unsafe(), all.native()];", { head: 'import * as all from "../../lib/all";' }),
    );
    expect(places(await check({ root, sdk: SDK }))).toEqual([
      "EVE2001 lib/all.ts:1:1",
      "EVE2002 lib/all.ts:3:29",
    ]);
  });
});

it("looks at one file once when a copy of the checkout is built beside it", async () => {
  const root = wideApp(temporaryFolder());
  await run(root);
  const copy = path.join(temporaryFolder(), "copy");
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  const result = await run(copy);
  expect(result.written).toEqual([]);
  expect(places(result)).toEqual([]);
});
