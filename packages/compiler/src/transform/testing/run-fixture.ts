import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import vm from "node:vm";
import { build, type Plugin } from "esbuild";
import { analyseModule } from "../../analysis/index.js";
import { sliceModule } from "../../slicing/index.js";
import type { Mode } from "../../types.js";
import { emitModule } from "../index.js";

/** `expect.json` of a transform fixture. */
export interface FixtureExpectation {
  /** Exports that others need of the input in workflow mode; all by default. */
  exports?: string[];
  tsconfig?: Record<string, unknown>;
  workflowLacks?: string[];
  /** Write and compare the decoded source maps, too. */
  map?: boolean;
  run: { workflow: string; args: unknown[]; returns: unknown; yields?: unknown[]; steps: string[] }[];
}

/** Stands in for the packages that fixtures import: definitions are returned as they are. */
const STUB = `
  const any = new Proxy(function () {}, { get: (_, key) => (key === Symbol.toPrimitive ? () => "" : any), apply: () => any });
  export const z = any;
  export const defineWorkflowTool = (definition) => definition;
`;

/** Compiles one file of a fixture. */
export function emitFile(
  file: string,
  mode: Mode,
  exports?: readonly string[],
): { code: string; map: string } {
  const source = readFileSync(file, "utf8");
  const name = path.basename(file);
  const analysis = analyseModule(source, { file: name });
  const slice = sliceModule(analysis, { workflows: "all", exports: exports ? new Set(exports) : "all" });
  const moduleId = `./${name.replace(/\.\w+$/, "")}`;
  const { code, map } = emitModule(source, analysis, { mode, moduleId, slice });
  return { code, map: JSON.stringify(map) };
}

/** Bundles a fixture for one mode with the compiler as the only plugin. */
export async function bundleFixture(
  folder: string,
  mode: Mode,
  expectation: FixtureExpectation,
): Promise<string> {
  const input = inputOf(folder);
  const plugin: Plugin = {
    name: "fixture",
    setup(hooks) {
      hooks.onResolve({ filter: /^(?:eve\/tools|zod)$/ }, ({ path: name }) => ({
        path: name,
        namespace: "stub",
      }));
      hooks.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents: STUB, loader: "js" }));
      hooks.onResolve({ filter: /^\.\/.*\.js$/ }, ({ path: name, resolveDir }) => ({
        path: path.join(
          resolveDir,
          name.replace(/\.js$/, name === "./input.js" ? path.extname(input) : ".ts"),
        ),
      }));
      hooks.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path: file }) => {
        const { code } = emitFile(file, mode, file === input ? expectation.exports : undefined);
        const extension = path.extname(file).slice(1).replace(/^[cm]/, "");
        return { contents: code, loader: extension as "ts" | "tsx" | "js" };
      });
    },
  };
  // TypeScript drops imports that nothing uses any more; modules with steps are loaded for their effect all the same.
  const files = readdirSync(folder).filter(
    (file) => /\.[jt]sx?$/.test(file) && !/^(?:workflow|step|input)\./.test(file),
  );
  const entry = [
    ...files.sort().map((file) => `import "./${file}";`),
    `export * from ${JSON.stringify(input)};`,
  ];
  const result = await build({
    ...(mode === "step"
      ? { stdin: { contents: entry.join("\n"), resolveDir: folder, sourcefile: "entry.js" } }
      : { entryPoints: [input] }),
    bundle: true,
    write: false,
    format: mode === "step" ? "esm" : "cjs",
    platform: "node",
    target: "node20",
    logLevel: "silent",
    // CommonJS in an ES module needs a require of its own.
    ...(mode === "step"
      ? {
          banner: {
            js: 'import { createRequire as makeRequire } from "node:module"; var require = makeRequire("file:///");',
          },
        }
      : {}),
    plugins: [plugin],
    tsconfigRaw: { compilerOptions: expectation.tsconfig ?? {} },
  });
  return result.outputFiles[0]?.text ?? "";
}

export function inputOf(folder: string): string {
  for (const extension of ["ts", "tsx", "js", "cjs"]) {
    const file = path.join(folder, `input.${extension}`);
    if (exists(file)) return file;
  }
  throw new Error(`${folder} holds no input file`);
}

function exists(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
}

type Callable = (...args: unknown[]) => unknown;

/** Both bundles, loaded: a workflow calls its steps at once, and the calls are noted. */
export interface LoadedFixture {
  workflows: Map<string, Callable & { workflowId: string }>;
  steps: Map<string, Callable & { stepId: string }>;
  calls: string[];
  /** Exports of the step bundle. */
  exported: Record<string, unknown>;
}

const REGISTERED_STEPS = Symbol.for("@workflow/core//registeredSteps");

/** Evaluates the step bundle in this realm and the workflow bundle in a new one, joined by the ABI's symbols. */
export async function loadFixture(stepCode: string, workflowCode: string): Promise<LoadedFixture> {
  const registry = globalThis as unknown as Record<symbol, LoadedFixture["steps"] | undefined>;
  registry[REGISTERED_STEPS] = undefined;
  const url = `data:text/javascript;base64,${Buffer.from(stepCode).toString("base64")}`;
  const exported = (await import(/* @vite-ignore */ url)) as Record<string, unknown>;
  const steps = registry[REGISTERED_STEPS] ?? new Map();
  const calls: string[] = [];
  const useStep =
    (id: string) =>
    (...args: unknown[]): unknown => {
      calls.push(id);
      const step = steps.get(id);
      if (step === undefined) throw new Error(`the step ${id} isn't registered`);
      return step(...args);
    };
  const sandbox: Record<string | symbol, unknown> = {
    module: { exports: {} },
    [Symbol.for("WORKFLOW_USE_STEP")]: useStep,
  };
  const context = vm.createContext(sandbox);
  // As Node wraps a CommonJS module: its variables aren't those of the global object.
  vm.runInContext(`(function (module) {${workflowCode.replace(/^#!.*/, "")}\n})(module)`, context, {
    filename: "workflow.cjs",
  });
  const workflows = vm.runInContext(
    "globalThis.__private_workflows ?? new Map()",
    context,
  ) as LoadedFixture["workflows"];
  return { workflows, steps, calls, exported };
}
