import { compileWorkflowBundle } from "../replay/index.js";
import type { StepFunction } from "../builds/server-module.js";
import type { Build, Builds } from "../builds/types.js";

/** A build made in a test, from body code in the portable ABI and step functions. */
export interface TestBuildOptions {
  id?: string;
  /** Bodies by workflow id: the source of an async function. Helpers of `PRELUDE` are in scope. */
  workflows: Record<string, string>;
  /** Step functions by id. */
  steps?: Record<string, StepFunction>;
  /** Tools by name: workflow id and entry point (`execute` unless given). */
  tools?: Record<string, { workflowId: string; entryPoint?: "execute" | "task" | "serve" }>;
}

/** What compiled bodies call, in short: `step(id)`, `sleep`, `createHook`. */
const PRELUDE = `
globalThis.__private_workflows = new Map();
const step = (id) => globalThis[Symbol.for("WORKFLOW_USE_STEP")](id);
const sleep = (until) => globalThis[Symbol.for("WORKFLOW_SLEEP")](until);
const createHook = (options) => globalThis[Symbol.for("WORKFLOW_CREATE_HOOK")](options);
const createWebhook = (options = {}) => globalThis[Symbol.for("WORKFLOW_CREATE_HOOK")]({
  isWebhook: true,
  metadata: "respondWith" in options ? { respondWith: options.respondWith } : options.metadata,
});
function workflow(id, body) { body.workflowId = id; globalThis.__private_workflows.set(id, body); }
`;

const place = { file: "agent/tools/test.ts", line: 1, column: 1, name: "test" };

/** A build that lives in memory. */
export function testBuild(options: TestBuildOptions): Build {
  const { id = "test-build", workflows, steps = {}, tools = {} } = options;
  const code = Object.entries(workflows).map(([key, body]) => `workflow(${JSON.stringify(key)}, ${body});`);
  const bundle = compileWorkflowBundle([PRELUDE, ...code].join("\n"));
  const server = {
    steps: new Map(Object.entries(steps)),
    classes: new Map<string, unknown>(),
    errors: {},
    eve: { version: 1 as const, tools: {} },
  };
  return {
    id,
    manifest: {
      version: 1,
      workflows: Object.fromEntries(Object.keys(workflows).map((key) => [key, place])),
      steps: Object.fromEntries(Object.keys(steps).map((key) => [key, { ...place, name: key }])),
      tools: Object.fromEntries(
        Object.entries(tools).map(([name, tool]) => [
          name,
          {
            file: place.file,
            workflowId: tool.workflowId,
            entryPoint: tool.entryPoint ?? ("execute" as const),
          },
        ]),
      ),
    },
    bundle,
    server: async () => server,
    // Frames of Node are left out as in a real build: which ones lie below a step is the engine's affair.
    mapStack: (stack) => stack.replace(/^\s+at (?:.* \()?node:.*\n?/gm, "").trimEnd(),
    withoutFolders: (text) => text,
    mapSite: (site) => site,
  };
}

/** Builds of a test: the last of the list is the present one; `kept` ones can be found. */
export function testBuilds(...builds: Build[]): Builds & { set(...next: Build[]): void } {
  let all = builds;
  return {
    async current() {
      const current = all.at(-1);
      if (!current) throw new Error("no build");
      return current;
    },
    find: async (buildId) => all.find((build) => build.id === buildId),
    keep: async () => false,
    prune: async () => undefined,
    set(...next) {
      all = next;
    },
  };
}
