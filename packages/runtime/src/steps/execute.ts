import type { Build } from "../builds/types.js";
import type { ServerModule, StepFunction } from "../builds/server-module.js";
import { StepMissingError, ValueTooLargeError } from "../errors/engine.js";
import { RuntimeError } from "../errors/base.js";
import { createHostCodec, OversizeError, SerializationError, type Codec } from "../values/index.js";
import { BUNDLE_FILE } from "../replay/index.js";
import { tellErrors, titleOf } from "../values/stacks.js";
import { isErrorObject, messageOf, nameOf, readOf } from "../values/thrown.js";
import type { RunSignals } from "../signals/run-signals.js";
import { exhaustedMessage, judge, maxRetriesOf, nextAttemptAt } from "./retry.js";
import { inScope, type StepScope } from "./scope.js";

/** One attempt of a step, and what running it needs of the engine. */
export interface StepAttempt extends StepScope {
  readonly stepId: string;
  /** devalue text of the arguments. */
  readonly args: string;
  /** 1 for the first. */
  readonly attempt: number;
  readonly build: Build;
  /** The run's signals, from which the arguments' signals are revived. */
  readonly signals: RunSignals;
  /** The largest encoded result, in characters. */
  readonly maxValue: number;
  codec(server: ServerModule): Codec;
  now(): number;
  /** Resolves when everything the step wrote to streams is stored; undefined when it wrote nothing. */
  flush(): Promise<unknown> | undefined;
  /** Told what came of it, once. */
  done(outcome: StepOutcome): void;
}

export type StepOutcome =
  | { type: "completed"; value: string }
  /** `error`: devalue text; `retryAt` when another attempt follows. */
  | { type: "failed"; error: string; retryAt?: number };

// While async context is followed, every `await` costs: what is there already isn't awaited.
const imported = new WeakMap<Build, ServerModule>();

async function importOnce(build: Build): Promise<ServerModule> {
  const server = await build.server();
  imported.set(build, server);
  return server;
}

const { then } = Promise.prototype;

/**
 * Runs one attempt of a step; whatever goes wrong is an outcome. Written with callbacks because it stands in the way of
 * every step.
 */
export function executeStep(attempt: StepAttempt): void {
  const server = imported.get(attempt.build);
  if (server) return run(attempt, server);
  importOnce(attempt.build).then(
    (given) => run(attempt, given),
    (error: unknown) => attempt.done(judged(attempt, () => failed(error, attempt, undefined))),
  );
}

function run(attempt: StepAttempt, server: ServerModule): void {
  const codec = attempt.codec(server);
  const step = server.steps.get(attempt.stepId);
  let signals: ReadonlySet<AbortSignal> | undefined;
  const refused = (error: unknown) => {
    const outcome = judged(attempt, () =>
      isAbort(error, signals)
        ? { type: "failed", error: encodeError(error, attempt, codec) }
        : failed(error, attempt, step, codec),
    );
    attempt.done(outcome);
  };
  const returned = (value: unknown) => {
    let text: string | Promise<string>;
    try {
      text = encodeResult(value, codec, attempt);
    } catch (error) {
      return refused(error);
    }
    if (typeof text === "string") attempt.done({ type: "completed", value: text });
    else text.then((later) => attempt.done({ type: "completed", value: later }), refused);
  };
  let promise: Promise<unknown>;
  try {
    if (!step) throw new StepMissingError(attempt.stepId, attempt.build.id);
    // Stacks of errors that the body made are those of its bundle.
    const args = attempt.args.includes(BUNDLE_FILE) ? tellErrors(attempt.args, attempt.build) : attempt.args;
    const received = attempt.signals.collect(() => codec.decode(args) as unknown[]);
    ({ signals } = received);
    promise = Promise.resolve(inScope(attempt, () => step(...received.value)));
  } catch (error) {
    return refused(error);
  }
  // The promise's own `then`, if it has one, is the author's.
  Reflect.apply(then, promise, [returned, refused]);
}

/** devalue text of a step's result, once what the step wrote to streams is stored. */
function encodeResult(value: unknown, codec: Codec, attempt: StepAttempt): string | Promise<string> {
  const { stepId, maxValue } = attempt;
  const checked = (text: string) => {
    if (text.length <= maxValue) return text;
    throw new ValueTooLargeError(`The result of step ${stepId}`, text.length, maxValue);
  };
  const named = (error: unknown): never => {
    throw error instanceof OversizeError
      ? new ValueTooLargeError(`The result of step ${stepId}`, undefined, maxValue)
      : error;
  };
  const writing = attempt.flush();
  if (writing) return writing.then(() => codec.encodeAsync(value, "result")).then(checked, named);
  try {
    const text = codec.encodeAsync(value, "result");
    return typeof text === "string" ? checked(text) : text.then(checked, named);
  } catch (error) {
    return named(error);
  }
}

/** An outcome worked out from what the author's code threw, which can do anything when it is looked at. */
function judged({ stepId }: StepAttempt, work: () => StepOutcome): StepOutcome {
  try {
    return work();
  } catch (error) {
    return unexpectedOutcome(stepId, error);
  }
}

/** The step stopped because it was asked to, by a signal it received: trying again would be against that wish. */
function isAbort(thrown: unknown, signals: ReadonlySet<AbortSignal> = new Set()): boolean {
  const named = isErrorObject(thrown) && nameOf(thrown) === "AbortError";
  return [...signals].some(({ aborted, reason }) => aborted && (named || thrown === reason));
}

/** The outcome of an attempt the process didn't survive. */
export function crashedOutcome(
  call: Pick<StepAttempt, "stepId" | "attempt">,
  step: StepFunction | undefined,
  now: number,
  codec: Codec,
): StepOutcome {
  const error = new Error(`The process ended while attempt ${call.attempt} of step ${call.stepId} ran`);
  error.stack = `Error: ${error.message}`;
  const retries = readOf(() => maxRetriesOf(step ?? { maxRetries: 0 })) ?? 0;
  if (call.attempt <= retries) return { type: "failed", error: codec.encode(error, "error"), retryAt: now };
  return { type: "failed", error: codec.encode(exhausted(call, error), "error") };
}

/** The outcome of an attempt that can't be judged: the step ends, and nothing else does. */
function unexpectedOutcome(stepId: string, thrown: unknown): StepOutcome {
  const error = new Error(`The outcome of step ${stepId} can't be told: ${messageOf(thrown)}`);
  return { type: "failed", error: createHostCodec().encode(error, "error") };
}

function failed(
  thrown: unknown,
  attempt: StepAttempt,
  step: StepFunction | undefined,
  codec?: Codec,
): StepOutcome {
  const encode = (error: unknown) => encodeError(error, attempt, codec);
  // These say what is wrong with the step itself: another attempt can't do better.
  if (isErrorObject(thrown) && (thrown instanceof RuntimeError || thrown instanceof SerializationError))
    return { type: "failed", error: encode(thrown) };
  const verdict = judge(thrown);
  if (verdict.fatal) return { type: "failed", error: encode(thrown) };
  let retries: number;
  try {
    retries = maxRetriesOf(step ?? {});
  } catch (error) {
    return { type: "failed", error: encode(error) };
  }
  if (attempt.attempt > retries) return { type: "failed", error: encode(exhausted(attempt, thrown)) };
  const retryAt = nextAttemptAt(attempt.attempt, attempt.now(), verdict);
  return { type: "failed", error: encode(thrown), retryAt };
}

function exhausted({ stepId, attempt }: Pick<StepAttempt, "stepId" | "attempt">, cause: unknown): Error {
  const last = messageOf(cause);
  const error = new Error(exhaustedMessage(stepId, attempt, last), { cause });
  Object.defineProperty(error, "name", { value: "StepError" });
  error.stack = `StepError: ${error.message}${causesOf(cause)}${framesOf(cause)}`;
  return Object.assign(error, { stepId, attempts: attempt });
}

/** How many causes of causes, and errors of one that has several, are told. */
const TOLD = 5;

/** The last attempt's error and what led to it: a library's own ("fetch failed") says less than its cause. */
function causesOf(cause: unknown): string {
  let lines = "";
  let error: unknown = cause;
  for (let depth = 0; depth < TOLD && isErrorObject(error); depth += 1) {
    const known: Error = error;
    lines += `\nCaused by ${titleOf({ name: nameOf(known), message: messageOf(known) })}`;
    const several = readOf(() => (known as { errors?: unknown }).errors);
    if (Array.isArray(several)) {
      for (const one of several.slice(0, TOLD))
        lines += `\n  - ${titleOf({ name: nameOf(one), message: messageOf(one) })}`;
    }
    error = readOf(() => known.cause);
  }
  return lines;
}

/** The frames of the last attempt's error: where the step failed says more than where we gave up. */
function framesOf(cause: unknown): string {
  const stack = isErrorObject(cause) ? readOf(() => cause.stack) : undefined;
  if (typeof stack !== "string") return "";
  const frames = stack.split("\n").filter((line) => /^\s+at /.test(line));
  return frames.length > 0 ? `\n${frames.join("\n")}` : "";
}

function encodeError(error: unknown, attempt: StepAttempt, codec: Codec | undefined): string {
  const { stepId, maxValue } = attempt;
  const values =
    codec ??
    attempt.codec({ steps: new Map(), classes: new Map(), errors: {}, eve: { version: 1, tools: {} } });
  try {
    const text = values.encode(error, "error");
    if (text.length <= maxValue) return text;
    return values.encode(
      new ValueTooLargeError(`The error of step ${stepId}`, text.length, maxValue),
      "error",
    );
  } catch (reason) {
    // Something was thrown that can't be carried (a function, a socket): say what it was.
    const error = new Error(`Step ${stepId} threw a value that can't be recorded: ${messageOf(reason)}`);
    error.stack = `Error: ${error.message}`;
    return values.encode(error, "error");
  }
}
