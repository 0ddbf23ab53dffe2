import * as esbuild from "esbuild";
import path from "node:path";
import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { SDK, testApp } from "../testing/app.js";
import type { Files } from "../testing/temporary.js";
import type { Diagnostic } from "../types.js";
import { eve, type EveOptions, type FunctionManifest } from "./esbuild.js";

const APP: Files = {
  "package.json": JSON.stringify({ name: "flows", version: "1.0.0", type: "module" }),
  "src/flows.ts": `import { stat } from "node:fs/promises";
import { double } from "./math";

export async function size(file: string): Promise<number> {
  "use step";
  return (await stat(file)).size;
}

export async function flow(n: number) {
  "use workflow";
  return double(await size("x")) + n;
}
`,
  "src/math.ts": "export const double = (n: number) => n * 2;\nexport const secret = 'UNUSED';\n",
};

interface Outcome {
  code: string;
  diagnostics: Diagnostic[];
  functions: FunctionManifest | undefined;
}

async function bundle(
  files: Files,
  mode: EveOptions["mode"],
  options: Partial<EveOptions> = {},
  more: esbuild.BuildOptions = {},
): Promise<Outcome> {
  const root = testApp(files);
  let diagnostics: Diagnostic[] = [];
  let functions: FunctionManifest | undefined;
  const { outputFiles = [] } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["src/flows.ts"],
    bundle: true,
    write: false,
    logLevel: "silent",
    format: mode === "workflow" ? "cjs" : "esm",
    platform: mode === "workflow" ? "neutral" : "node",
    ...more,
    plugins: [
      eve({
        mode,
        root,
        sdk: SDK,
        onDiagnostics: (found) => (diagnostics = found),
        manifest: (found) => (functions = found),
        ...options,
      }),
    ],
  });
  return { code: outputFiles[0]?.text ?? "", diagnostics, functions };
}

async function failure(...args: Parameters<typeof bundle>): Promise<esbuild.Message[]> {
  try {
    await bundle(...args);
  } catch (error) {
    return (error as esbuild.BuildFailure).errors;
  }
  throw new Error("the build succeeded");
}

describe("eve/esbuild", () => {
  it("bundles bodies without what only steps need", async () => {
    const { code, functions } = await bundle(APP, "workflow");
    expect(code).not.toMatch(/node:fs|UNUSED|\.size;/);
    const calls: unknown[] = [];
    const context = vm.createContext({
      use:
        (id: string) =>
        async (...args: unknown[]) => {
          calls.push([id, ...args]);
          return 21;
        },
      module: { exports: {} },
    });
    vm.runInContext('globalThis[Symbol.for("WORKFLOW_USE_STEP")] = use;', context);
    vm.runInContext(code, context);
    const id = "workflow//./src/flows//flow";
    const flow = vm.runInContext("globalThis.__private_workflows", context).get(id);
    expect(await flow(1)).toBe(43);
    expect(calls).toEqual([["step//./src/flows//size", "x"]]);
    expect(functions).toEqual({
      version: 1,
      workflows: { [id]: { file: "src/flows.ts", line: 9, column: 23, name: "flow" } },
      steps: { "step//./src/flows//size": { file: "src/flows.ts", line: 4, column: 23, name: "size" } },
    });
  });

  it("bundles steps with their registration", async () => {
    const { code } = await bundle(APP, "step");
    expect(code).toContain('.set("step//./src/flows//size", size)');
    expect(code).toContain("node:fs/promises");
  });

  it("gives the same ids whatever esbuild makes of names", async () => {
    const plain = await bundle(APP, "step");
    const small = await bundle(APP, "step", {}, { minify: true, keepNames: false });
    expect(small.functions).toEqual(plain.functions);
    expect(small.code).toContain("step//./src/flows//size");
  });

  it("reports findings as messages with code, place, notes and help", async () => {
    const errors = await failure(
      {
        ...APP,
        "src/math.ts":
          'import path from "node:path";\n/* ä */ export const double = (n: number) => path.sep.length + n;\n',
      },
      "workflow",
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      id: "EVE2001",
      text: expect.stringMatching(/^EVE2001: .*node:path/),
      location: { file: "src/math.ts", line: 1, column: 0, lineText: 'import path from "node:path";' },
    });
    const notes = errors[0]?.notes ?? [];
    expect(notes.map((note) => note.location?.file)).toContain("src/flows.ts");
    expect(notes.at(-1)?.text).toContain('"use step"');
  });

  it("counts columns in bytes, as esbuild does", async () => {
    const [error] = await failure(
      { ...APP, "src/math.ts": 'export const double = (n: number) => "ä€" + process.pid + n;\n' },
      "workflow",
    );
    const { column = 0, lineText = "" } = error?.location ?? {};
    expect(Buffer.from(lineText).subarray(column).toString()).toMatch(/^process\.pid/);
  });

  it("reports near misses in both modes, once each", async () => {
    const files = {
      ...APP,
      "src/math.ts": 'export async function double(n: number) {\n  "use-step";\n  return n;\n}\n',
    };
    const entry = { entryPoints: ["src/math.ts"] };
    expect((await failure(files, "workflow")).map(({ id }) => id)).toEqual(["EVE1002"]);
    expect((await failure(files, "step", {}, entry)).map(({ id }) => id)).toEqual(["EVE1002"]);
  });

  it("reports an import that leads nowhere at the author's place", async () => {
    const files = { ...APP, "src/math.ts": 'export { double } from "./gone";\n' };
    const errors = await failure(files, "workflow");
    expect(errors.map(({ id, location }) => [id, location?.line, location?.column])).toEqual([
      ["EVE1201", 1, 23],
    ]);
  });
});

describe("packages with directives", () => {
  const files: Files = {
    ...APP,
    "src/flows.ts": `import { stamp } from "stampkit";
export async function flow() {
  "use workflow";
  return await stamp("a");
}
export async function other() {
  "use step";
  return await stamp("b");
}
`,
    "node_modules/stampkit/package.json": JSON.stringify({
      name: "stampkit",
      version: "1.0.0",
      type: "module",
      exports: "./index.js",
    }),
    "node_modules/stampkit/index.js":
      'export async function stamp(s) {\n  "use step";\n  return `(${s})`;\n}\n',
  };

  it.each(["workflow", "step"] as const)("are compiled in %s mode, external or not", async (mode) => {
    for (const more of [{}, { packages: "external" as const }]) {
      const { code, functions } = await bundle(files, mode, {}, more);
      expect(functions?.steps).toHaveProperty(["step//stampkit@1.0.0//stamp"]);
      expect(code).not.toMatch(/require\("stampkit"\)|from "stampkit"/);
    }
  });

  it.each(["workflow", "step"] as const)(
    "are an error in %s mode when they are listed as external",
    async (mode) => {
      const byOption = await failure(files, mode, { external: ["stampkit"] });
      const byEsbuild = await failure(files, mode, {}, { external: ["stampkit"] });
      for (const errors of [byOption, byEsbuild]) {
        expect(errors.map(({ id }) => id)).toEqual(["EVE1202"]);
        expect(errors[0]?.location).toMatchObject({ file: "src/flows.ts", line: 1 });
      }
    },
  );
});

it("starts anew with every build of a context", async () => {
  const root = testApp(APP);
  const seen: string[][] = [];
  const context = await esbuild.context({
    absWorkingDir: root,
    entryPoints: ["src/flows.ts"],
    bundle: true,
    write: false,
    logLevel: "silent",
    format: "cjs",
    platform: "neutral",
    plugins: [
      eve({ mode: "workflow", root, sdk: SDK, manifest: ({ steps }) => void seen.push(Object.keys(steps)) }),
    ],
  });
  const { writeFileSync, readFileSync } = await import("node:fs");
  const file = path.join(root, "src/flows.ts");
  await context.rebuild();
  writeFileSync(file, readFileSync(file, "utf8").replaceAll("size(", "weigh("));
  await context.rebuild();
  await context.dispose();
  expect(seen).toEqual([["step//./src/flows//size"], ["step//./src/flows//weigh"]]);
});
