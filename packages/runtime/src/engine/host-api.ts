import type { EveHost } from "eve/internal/host-api";
import type { Run } from "eve/internal/workflow-api";
import { HOST } from "eve/internal/symbols";
import { RunNotFoundError } from "../errors/engine.js";
import { getHookByToken, resumeHook } from "../hooks/resume.js";
import { resumeWebhook } from "../hooks/webhook.js";
import { stepScope } from "../steps/scope.js";
import { readable, writable } from "../streams/handles.js";
import { cancelRun } from "./cancel.js";
import { requireList, requireText } from "./arguments.js";
import type { Core } from "./core.js";
import { resultOf, waitForResult } from "./results.js";
import { startRun } from "./start.js";

/** A run ended as cancelled while somebody waited for its value. */
class RunCancelledError extends Error {
  override readonly name = "RunCancelledError";
  readonly code = "RUN_CANCELLED";
}

/** What code in steps, and host code outside them, can ask of the engine. */
export function createHostApi(core: Core): EveHost {
  return {
    currentStep: () => stepScope.getStore()?.step,
    async start(workflowId, args) {
      requireText("start()", "a workflow's id", workflowId);
      requireList("start()", "the workflow's arguments", args);
      const parentRunId = stepScope.getStore()?.step.runId;
      const parent = parentRunId === undefined ? undefined : core.actors.get(parentRunId);
      const runId = await startRun(core, {
        workflowId,
        args,
        // A child finishes on the build of its parent: its id and arguments are known to fit there.
        ...(parent ? { build: parent.build } : {}),
        ...(parentRunId === undefined ? {} : { parentRunId }),
      });
      return runHandle(core, runId);
    },
    getRun: (runId) => runHandle(core, runId),
    resumeHook: (token, payload) => resumeHook(core, token, payload),
    resumeWebhook: (token, request) => resumeWebhook(core, token, request),
    getHookByToken: (token) => getHookByToken(core, token),
    getWritable(options) {
      const runId = stepScope.getStore()?.step.runId;
      if (runId === undefined)
        throw new TypeError("getWritable() is available in steps and workflow bodies.");
      return writable(core, runId, streamName(options.namespace));
    },
  };
}

/** Name of a run's stream: the default one, or that of a namespace. */
export const streamName = (namespace: string | undefined): string =>
  namespace === undefined ? "default" : `named:${namespace}`;

function runHandle(core: Core, runId: string): Run {
  requireText("getRun()", "a run's id", runId);
  const row = async () => {
    const found = await core.store.run(runId);
    if (!found) throw new RunNotFoundError(runId);
    return found;
  };
  const getReadable = <Chunk>(options: { namespace?: string; startIndex?: number } = {}) =>
    readable(core, runId, streamName(options.namespace), options.startIndex ?? 0) as ReadableStream<Chunk>;
  return {
    runId,
    get exists() {
      return core.store.run(runId).then((found) => found !== undefined);
    },
    get status() {
      return row().then((found) => found.status);
    },
    get returnValue() {
      return returnValue(core, runId);
    },
    get workflowName() {
      return row().then((found) => found.workflowId);
    },
    get createdAt() {
      return row().then((found) => new Date(found.createdAt));
    },
    get startedAt() {
      return row().then((found) => new Date(found.createdAt));
    },
    get completedAt() {
      return row().then((found) => (found.endedAt === undefined ? undefined : new Date(found.endedAt)));
    },
    get readable() {
      return getReadable();
    },
    getReadable,
    cancel: () => cancelRun(core, runId),
  };
}

async function returnValue(core: Core, runId: string): Promise<unknown> {
  const result = (await resultOf(core, runId)) ?? (await waitForResult(core, runId));
  if (result.status === "completed") return result.output;
  if (result.status === "cancelled") throw new RunCancelledError(`Run ${runId} was cancelled.`);
  const last = (await core.store.lastEntry(runId))?.event;
  throw last?.type === "run-ended" && last.error !== undefined
    ? core.values.plain().decode(last.error)
    : new Error(`Run ${runId} failed.`);
}

type HostHolder = { [HOST]?: EveHost };

/**
 * Puts the engine where `workflow` and `workflow/api` look for it. With several engines in one process a step
 * reaches the one that runs it; code outside steps reaches the newest. Gives the function that undoes it.
 */
export function installHostApi(api: EveHost): () => void {
  const holder = globalThis as HostHolder;
  const before = holder[HOST];
  const own = () => stepScope.getStore()?.host ?? api;
  const installed: EveHost = {
    currentStep: () => own().currentStep(),
    start: (workflowId, args) => own().start(workflowId, args),
    getRun: (runId) => own().getRun(runId),
    resumeHook: (token, payload) => own().resumeHook(token, payload),
    resumeWebhook: (token, request) => own().resumeWebhook(token, request),
    getHookByToken: (token) => own().getHookByToken(token),
    getWritable: (options) => own().getWritable(options),
  };
  holder[HOST] = installed;
  return () => {
    if (holder[HOST] !== installed) return;
    if (before) holder[HOST] = before;
    else delete holder[HOST];
  };
}
