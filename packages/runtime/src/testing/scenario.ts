/** The usual set-up of an engine test: one build, one harness, short names for what every test does. */
import type { EveHost } from "eve/internal/host-api";
import { HOST } from "eve/internal/symbols";
import { afterEach } from "vitest";
import type { StepFunction } from "../builds/server-module.js";
import type { EngineOptions, RunResult } from "../engine/options.js";
import type { RunStatus } from "../log/types.js";
import { testBuild, testBuilds } from "./build.js";
import { openHarness, type Harness } from "./harness.js";

export const HOUR = 3_600_000;

/** What code in a step reaches the engine by. */
export const host = (): EveHost => (globalThis as unknown as { [HOST]: EveHost })[HOST];

export interface Scenario {
  readonly harness: Harness;
  /** Opens a harness with these bodies and steps; a body named `tool` is the tool `tool`. */
  open(
    workflows: Record<string, string>,
    steps?: Record<string, StepFunction>,
    options?: Partial<EngineOptions>,
  ): Promise<void>;
  /** Starts a workflow without waiting for anything. */
  start(workflowId?: string, args?: unknown[]): Promise<{ runId: string; result: Promise<RunResult> }>;
  /** Starts the workflow `w` and lets it come as far as it can. */
  run(args?: unknown[]): Promise<string>;
  /** The same for the tool `tool`. */
  call(input?: unknown, options?: { answerable?: boolean }): Promise<string>;
  status(runId: string): Promise<RunStatus>;
  result(runId: string): Promise<RunResult>;
  /** Types of the log's entries. */
  types(runId: string): Promise<string[]>;
}

/** Call once per test file: the harness is closed after each test. */
export function useScenario(): Scenario {
  let harness: Harness | undefined;
  afterEach(async () => {
    await harness?.close();
    harness = undefined;
  });
  const opened = () => {
    if (!harness) throw new Error("open() wasn't called");
    return harness;
  };
  return {
    get harness() {
      return opened();
    },
    async open(workflows, steps = {}, options = {}) {
      const tools: Record<string, { workflowId: string }> =
        "tool" in workflows ? { tool: { workflowId: "tool" } } : {};
      harness = await openHarness(testBuilds(testBuild({ workflows, steps, tools })), options);
    },
    async start(workflowId = "w", args = []) {
      const runId = await opened().engine.startRun({ workflowId, args });
      return { runId, result: opened().engine.run(runId).result() };
    },
    async run(args = []) {
      const runId = await opened().engine.startRun({ workflowId: "w", args });
      await opened().clock.settle();
      return runId;
    },
    async call(input = {}, options = {}) {
      const runId = await opened().engine.startRun({ tool: "tool", input, ...options });
      await opened().clock.settle();
      return runId;
    },
    status: (runId) => opened().engine.run(runId).status(),
    result: (runId) => opened().engine.run(runId).result(),
    types: async (runId) => (await opened().store.log(runId)).map((entry) => entry.event.type),
  };
}
