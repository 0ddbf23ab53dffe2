import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import vm from "node:vm";
import { out } from "./app.js";

/** What a body did when it was run without an engine: its result, and the ids of the steps it called. */
export interface ToolRun {
  output: unknown;
  steps: string[];
}

type Fn = (...args: unknown[]) => unknown;

/**
 * Runs a built tool by the portable interface alone: the body in a context of its own, steps from the server
 * bundle. No log, no replay.
 */
export async function runTool(
  root: string,
  tool: string,
  input: unknown = {},
  workflowId?: string,
): Promise<ToolRun> {
  const manifest = JSON.parse(readFileSync(out(root, "manifest.json"), "utf8")) as {
    tools: Record<string, { workflowId: string }>;
  };
  await import(`${pathToFileURL(out(root, "server.mjs")).href}?${Date.now()}`);
  const registry = Symbol.for("@workflow/core//registeredSteps");
  const registered = (globalThis as Record<symbol, unknown>)[registry] as Map<string, Fn> | undefined;
  const steps: string[] = [];
  const context = vm.createContext({
    module: { exports: {} },
    useStep:
      (id: string) =>
      async (...args: unknown[]) => {
        steps.push(id);
        return registered?.get(id)?.(...args);
      },
  });
  vm.runInContext('globalThis[Symbol.for("WORKFLOW_USE_STEP")] = useStep;', context);
  vm.runInContext(readFileSync(out(root, "workflow.cjs"), "utf8"), context);
  const workflows = vm.runInContext("globalThis.__private_workflows", context) as Map<string, Fn>;
  const body = workflows.get(workflowId ?? manifest.tools[tool]?.workflowId ?? "");
  const output = await body?.(input);
  // Objects of another context aren't equal to ours by prototype.
  return { output: output === undefined ? undefined : JSON.parse(JSON.stringify(output)), steps };
}
