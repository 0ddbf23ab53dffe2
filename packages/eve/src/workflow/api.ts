/** The module `workflow/api`: starting and reaching runs, from steps and other host code. */
import { host } from "./host-api.js";
import type { HookInfo, Run, WorkflowFunction } from "./types.js";

export type { HookInfo, Run, RunStatus, WorkflowFunction } from "./types.js";

/**
 * Starts a run of a `"use workflow"` function. Resolves once the run is recorded, not when it ends.
 * @throws TypeError when `workflow` carries no workflow id (it wasn't compiled).
 */
export async function start<Args extends unknown[], Result>(
  workflow: WorkflowFunction<Args, Result> | { workflowId: string },
  ...[args]: [] extends Args ? [args?: Args] : [args: Args]
): Promise<Run<Result>> {
  const { workflowId } = (workflow ?? {}) as { workflowId?: unknown };
  if (typeof workflowId !== "string") {
    throw new TypeError(
      'start() takes a function with "use workflow" as its first statement; this one carries no workflow id.',
    );
  }
  return (await host("start()").start(workflowId, args ?? [])) as Run<Result>;
}

/** A handle on a run; it needn't exist (see `exists`). */
export function getRun<Result = unknown>(runId: string): Run<Result> {
  return host("getRun()").getRun(runId) as Run<Result>;
}

/** Delivers one payload to the live hook with this token. @throws Error with code `HOOK_NOT_FOUND` when there is none. */
export async function resumeHook(tokenOrHook: string | HookInfo, payload: unknown): Promise<HookInfo> {
  const token = typeof tokenOrHook === "string" ? tokenOrHook : (tokenOrHook as HookInfo | undefined)?.token;
  if (typeof token !== "string" || token === "")
    throw new TypeError("resumeHook() takes a hook or its token, a non-empty text.");
  return await host("resumeHook()").resumeHook(token, payload);
}

/** Delivers a request to a webhook and gives its answer. */
export function resumeWebhook(token: string, request: Request): Promise<Response> {
  return host("resumeWebhook()").resumeWebhook(token, request);
}

/** What is known of a live hook. @throws Error with code `HOOK_NOT_FOUND` when there is none. */
export function getHookByToken(token: string): Promise<HookInfo> {
  return host("getHookByToken()").getHookByToken(token);
}
