/** The module `workflow` as steps and other host code see it. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import { currentStep, host } from "./host-api.js";
import type {
  Hook,
  HookOptions,
  SleepUntil,
  StepMetadata,
  TypedHook,
  Webhook,
  WebhookOptions,
  WorkflowMetadata,
  WritableOptions,
} from "./types.js";

export {
  FatalError,
  HookConflictError,
  RetryableError,
  StepError,
  type RetryableErrorOptions,
} from "./errors.js";
export type { Duration } from "./duration.js";
export type * from "./types.js";

function onlyInBody(name: string): never {
  throw new Error(
    `${name} is available in "use workflow" bodies only; this code runs in a step or outside a workflow.`,
  );
}

/** Available in bodies only. */
export const sleep = (_until: SleepUntil): Promise<void> => onlyInBody("sleep()");

/** Available in bodies only. */
export const createHook = <T = unknown>(_options?: HookOptions): Hook<T> => onlyInBody("createHook()");

/** Available in bodies only. */
export const createWebhook = (_options?: WebhookOptions): Webhook => onlyInBody("createWebhook()");

/** A hook with a typed payload: `resume` validates (when a schema is given) and delivers. */
export function defineHook<Input, Output = Input>(
  options: { schema?: StandardSchemaV1<Input, Output> } = {},
): TypedHook<Input, Output> {
  return {
    create: () => onlyInBody("A hook's create()"),
    async resume(token, payload) {
      return await host("A hook's resume()").resumeHook(token, await validated(options.schema, payload));
    },
  };
}

async function validated(schema: StandardSchemaV1 | undefined, payload: unknown): Promise<unknown> {
  if (!schema) return payload;
  const result = await schema["~standard"].validate(payload);
  if (!result.issues) return result.value;
  const issues = result.issues.map(({ message, path = [] }) => {
    const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  throw new TypeError(`The hook's payload doesn't fit its schema: ${issues.join("; ")}`);
}

/** Id, name and start of the run whose step this is. */
export function getWorkflowMetadata(): WorkflowMetadata {
  const { runId, workflowName, workflowStartedAt, url } = currentStep("getWorkflowMetadata()");
  return { workflowRunId: runId, workflowName, workflowStartedAt: new Date(workflowStartedAt), url };
}

/** Name, attempt and idempotency key of the current step. @throws Error outside a step. */
export function getStepMetadata(): StepMetadata {
  const { stepName, stepId, stepStartedAt, attempt } = currentStep("getStepMetadata()");
  return { stepName, stepId, stepStartedAt: new Date(stepStartedAt), attempt };
}

/** The output stream of the run whose step this is. */
export function getWritable<Chunk = unknown>(options: WritableOptions = {}): WritableStream<Chunk> {
  currentStep("getWritable()");
  return host("getWritable()").getWritable(options);
}
