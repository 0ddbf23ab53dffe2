/**
 * The module `workflow` as replayed bodies see it: every call goes to the replay context through the
 * symbols of the Workflow SDK's runtime interface.
 */
import { CONTEXT, CREATE_HOOK, GET_STREAM_ID, SLEEP, STREAM_NAME } from "../symbols.js";
import type {
  Hook,
  HookOptions,
  RequestWithResponse,
  SleepUntil,
  StepMetadata,
  TypedHook,
  Webhook,
  WebhookOptions,
  WorkflowMetadata,
  WritableOptions,
} from "./types.js";
import type { StandardSchemaV1 } from "@standard-schema/spec";

export {
  FatalError,
  HookConflictError,
  RetryableError,
  StepError,
  type RetryableErrorOptions,
} from "./errors.js";
export type { Duration } from "./duration.js";
export type * from "./types.js";

function bodyApi<T>(symbol: symbol, caller: string): T {
  const found = (globalThis as unknown as Record<symbol, T | undefined>)[symbol];
  if (found === undefined) throw new Error(`${caller} is available in "use workflow" bodies only.`);
  return found;
}

/**
 * Waits durably: milliseconds, a text such as `"4h"`, or a moment. A moment in the past passes at once.
 * @throws TypeError for anything else.
 */
export function sleep(until: SleepUntil): Promise<void> {
  return bodyApi<(until: SleepUntil) => Promise<void>>(SLEEP, "sleep()")(until);
}

/** A wait for payloads that `resumeHook(token, payload)` delivers. */
export function createHook<T = unknown>(options?: HookOptions): Hook<T> {
  return bodyApi<(options?: HookOptions) => Hook<T>>(CREATE_HOOK, "createHook()")(options);
}

/** A wait for HTTP requests to a URL that eve serves. Its token is always random. */
export function createWebhook(
  options: WebhookOptions & { respondWith: "manual" },
): Webhook<RequestWithResponse>;
export function createWebhook(options?: WebhookOptions): Webhook;
export function createWebhook(options: WebhookOptions & { token?: unknown } = {}): Webhook {
  if (options.token !== undefined) {
    throw new TypeError(
      "createWebhook() takes no token: webhook tokens are random. Use createHook({ token }) with resumeHook() instead.",
    );
  }
  const { respondWith, metadata } = options;
  // The shape the SDK's runtime knows: the answer travels in the metadata.
  const shape = { isWebhook: true, metadata: respondWith === undefined ? metadata : { respondWith } };
  const hook = bodyApi<(options: object) => Webhook>(CREATE_HOOK, "createWebhook()")(shape);
  if (hook.url === undefined) {
    const url = `${getWorkflowMetadata().url}/.well-known/workflow/v1/webhook/${encodeURIComponent(hook.token)}`;
    Object.assign(hook, { url });
  }
  return hook;
}

/** A hook with a typed payload; with a schema, `resume` validates it. */
export function defineHook<Input, Output = Input>(_options?: {
  schema?: StandardSchemaV1<Input, Output>;
}): TypedHook<Input, Output> {
  return {
    create: (options) => createHook<Output>(options),
    resume() {
      throw new Error(
        'A hook\'s resume() is available in "use step" functions and outside workflows, not in a body.',
      );
    },
  };
}

/** Id, name and start of this run. */
export function getWorkflowMetadata(): WorkflowMetadata {
  return bodyApi<WorkflowMetadata>(CONTEXT, "getWorkflowMetadata()");
}

/** Available in steps only. */
export function getStepMetadata(): StepMetadata {
  throw new Error('getStepMetadata() is available in "use step" functions only.');
}

/** The run's output stream: pass it to the steps that write. */
export function getWritable<Chunk = unknown>(options: WritableOptions = {}): WritableStream<Chunk> {
  const name = bodyApi<(namespace?: string) => string>(GET_STREAM_ID, "getWritable()")(options.namespace);
  const prototype =
    (globalThis as { WritableStream?: { prototype: object } }).WritableStream?.prototype ?? null;
  return Object.create(prototype, { [STREAM_NAME]: { value: name } }) as WritableStream<Chunk>;
}
