import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** Where the runtime keeps what it knows of the running step: an AsyncLocalStorage, shared by all its copies. */
const STEP_CONTEXT = Symbol.for("WORKFLOW_STEP_CONTEXT_STORAGE");

/** Steps that the runtime's own Request and Response call to read a body. */
const BODY_READERS = {
  __builtin_response_json: (source) => source.json(),
  __builtin_response_text: (source) => source.text(),
  __builtin_response_array_buffer: (source) => source.arrayBuffer(),
};

/**
 * What code in steps finds behind `workflow` and `workflow/api` (the interface `EveHost`), on `@workflow/core`: the
 * few lines that a host of compiled output on another runtime has to write.
 *
 * @param {object} runtime the module `@workflow/core/runtime`
 * @param {object} core the module `@workflow/core`
 */
export function eveHost(runtime, core) {
  return {
    currentStep() {
      const context = globalThis[STEP_CONTEXT]?.getStore();
      if (!context) return undefined;
      const { stepMetadata: step, workflowMetadata: run } = context;
      return {
        runId: run.workflowRunId,
        workflowName: run.workflowName,
        workflowStartedAt: +run.workflowStartedAt,
        url: run.url,
        stepName: step.stepName,
        stepId: step.stepId,
        stepStartedAt: +step.stepStartedAt,
        attempt: step.attempt,
      };
    },
    start: (workflowId, args) => runtime.start({ workflowId }, args),
    getRun: (runId) => runtime.getRun(runId),
    resumeHook: (token, payload) => runtime.resumeHook(token, payload),
    resumeWebhook: (token, request) => runtime.resumeWebhook(token, request),
    getHookByToken: (token) => runtime.getHookByToken(token),
    getWritable: (options) => core.getWritable(options),
  };
}

/** Installs the host and the readers of bodies; call it after the runtime was imported and before the steps are. */
export function installEveHost(runtime, core) {
  globalThis[Symbol.for("eve.host")] = eveHost(runtime, core);
  const steps = (globalThis[Symbol.for("@workflow/core//registeredSteps")] ??= new Map());
  for (const [name, read] of Object.entries(BODY_READERS)) {
    steps.set(name, async function () {
      return await read(this);
    });
  }
}

/** Imports a module as seen from a folder with packages of its own. */
export const importFrom = (folder, name) =>
  import(pathToFileURL(createRequire(path.join(folder, "package.json")).resolve(name)).href);
