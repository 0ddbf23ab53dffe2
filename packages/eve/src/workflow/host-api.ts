import type { HookInfo, Run, WritableOptions } from "./types.js";
import { HOST } from "../symbols.js";

/** What the running step is, from the runtime's point of view. */
export interface HostStep {
  runId: string;
  workflowName: string;
  workflowStartedAt: number;
  /** Public base URL of the server. */
  url: string;
  stepName: string;
  /** Stable over attempts: `<run id>/<operation key>`. */
  stepId: string;
  stepStartedAt: number;
  attempt: number;
}

/** What the runtime installs at `globalThis[Symbol.for("eve.host")]` for code in steps. */
export interface EveHost {
  /** The step in whose call tree the caller is; `undefined` outside steps. */
  currentStep(): HostStep | undefined;
  start(workflowId: string, args: unknown[]): Promise<Run>;
  getRun(runId: string): Run;
  resumeHook(token: string, payload: unknown): Promise<HookInfo>;
  resumeWebhook(token: string, request: Request): Promise<Response>;
  getHookByToken(token: string): Promise<HookInfo>;
  getWritable(options: WritableOptions): WritableStream<unknown>;
}

/** The installed host. @throws Error when no eve runtime runs in this process. */
export function host(caller: string): EveHost {
  const installed = (globalThis as { [HOST]?: EveHost })[HOST];
  if (!installed)
    throw new Error(
      `${caller} needs a running eve runtime: call it in a "use step" function of a workflow tool.`,
    );
  return installed;
}

/** The current step. @throws Error outside a step. */
export function currentStep(caller: string): HostStep {
  const step = (globalThis as { [HOST]?: EveHost })[HOST]?.currentStep();
  if (!step) throw new Error(`${caller} is available in "use step" functions only.`);
  return step;
}
