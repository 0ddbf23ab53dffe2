/// <reference lib="esnext.disposable" preserve="true" />
import type { Duration } from "./duration.js";

/** Something that can be awaited to get a value. */
interface Thenable<T> {
  then: Promise<T>["then"];
}

/**
 * A wait for payloads from outside: `await hook` for one, `for await (const payload of hook)` for many,
 * `using hook = …` to release the token at the end of the block.
 */
export interface Hook<T = unknown> extends AsyncIterable<T>, Thenable<T> {
  /** What `resumeHook(token, payload)` takes. */
  readonly token: string;
  /** The run that already owns the token, or `null` once this hook is registered. */
  getConflict(): Promise<{ runId: string } | null>;
  /** Stops receiving and releases the token. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface HookOptions {
  /** A token the other side can work out by itself. Default: 128 random bits. One live hook per token. */
  token?: string;
  /** Shown to who looks the hook up (`getHookByToken`). Any value that can be carried. */
  metadata?: unknown;
}

/** A request that waits for its answer, of a webhook with `respondWith: "manual"`. */
export interface RequestWithResponse extends Request {
  /** Sends the answer. Call it once, in the body or in a step that received the request. */
  respondWith(response: Response): Promise<void>;
}

export interface Webhook<T extends Request = Request> extends Hook<T> {
  /** The public address; each POST to it is one payload. */
  readonly url: string;
}

export interface WebhookOptions {
  metadata?: unknown;
  /** Answer to each request: a fixed response, or `"manual"` to answer in the body. Default: 202. */
  respondWith?: Response | "manual";
}

/** A hook whose payload has a declared type, made with `defineHook`. */
export interface TypedHook<Input, Output = Input> {
  /** In a body: creates the hook. */
  create(options?: HookOptions): Hook<Output>;
  /** In a step: validates the payload and delivers it. */
  resume(token: string, payload: Input): Promise<HookInfo>;
}

/** What is known of a live hook. */
export interface HookInfo {
  token: string;
  runId: string;
  hookId: string;
  isWebhook: boolean;
  metadata?: unknown;
}

export interface WorkflowMetadata {
  workflowName: string;
  workflowRunId: string;
  workflowStartedAt: Date;
  /** Base URL of the server that serves webhooks. */
  url: string;
}

export interface StepMetadata {
  stepName: string;
  /** The same in every attempt of this step call: an idempotency key for what the step does outside. */
  stepId: string;
  /** When this attempt started. */
  stepStartedAt: Date;
  /** 1 for the first attempt. */
  attempt: number;
}

export interface WritableOptions {
  /** Tells several streams of one run apart. */
  namespace?: string;
}

export type SleepUntil = Duration | Date;

export type RunStatus = "running" | "waiting" | "completed" | "failed" | "cancelled" | "stalled";

/** A handle on a run, from `start()` or `getRun()`. */
export interface Run<Result = unknown> {
  readonly runId: string;
  readonly exists: Promise<boolean>;
  readonly status: Promise<RunStatus>;
  /** Resolves with the output, rejects with the run's error, when the run ends. */
  readonly returnValue: Promise<Result>;
  readonly workflowName: Promise<string>;
  readonly createdAt: Promise<Date>;
  readonly startedAt: Promise<Date | undefined>;
  readonly completedAt: Promise<Date | undefined>;
  readonly readable: ReadableStream<unknown>;
  /** `startIndex` below 0 counts from the end. */
  getReadable<Chunk = unknown>(options?: { namespace?: string; startIndex?: number }): ReadableStream<Chunk>;
  cancel(): Promise<void>;
}

/** A workflow function as seen by `start()`: compiled ones carry their id. */
// The arguments are contravariant: only `never[]` accepts every function.
export type WorkflowFunction<Args extends unknown[] = never[], Result = unknown> = (
  ...args: Args
) => Promise<Result>;
