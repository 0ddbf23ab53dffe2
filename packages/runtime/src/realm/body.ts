/** Runs the workflow function from its arguments to its outcome. */
import type { Outcome } from "../replay/protocol.js";
import type { BundleFunction } from "./border.js";
import { ResultError, WorkflowNotFoundError } from "./errors.js";
import { requireAdvice } from "./forbidden.js";
import { fitting } from "./limits.js";
import { toJson } from "./result.js";
import { emit, run, start, stringify } from "./state.js";
import { bodyArguments, toolName } from "./tool.js";
import { OversizeError } from "../values/errors.js";
import { isErrorObject, messageOf } from "../values/thrown.js";
import { codec } from "./values.js";

type WorkflowFunction = (...args: unknown[]) => unknown;
type Workflows = { __private_workflows?: Map<string, WorkflowFunction> };

/** Evaluates the bundle, calls the workflow and records how it ended. Never rejects. */
export async function runBody(bundle: BundleFunction): Promise<void> {
  let outcome: Outcome;
  try {
    outcome = { status: "completed", output: await output(bundle) };
  } catch (error) {
    outcome = { status: "failed", error: failureText(error) };
  }
  run.outcome = outcome;
}

const ERROR = "The error of the workflow";

/** A body that broke the globals it shares with this script still has to end: then with its message alone. */
function failureText(thrown: unknown): string {
  try {
    return fitting(failure(thrown), ERROR);
  } catch (error) {
    const message = `${messageOf(thrown).slice(0, 1_000)} (reporting it failed: ${messageOf(error).slice(0, 1_000)})`;
    return `[["Error",1],{"name":2,"message":3},"Error",${stringify(message)}]`;
  }
}

async function output(bundle: BundleFunction): Promise<string> {
  const module = { exports: {} };
  bundle.call(module.exports, module.exports, module, requireAdvice);
  const workflow = (globalThis as Workflows).__private_workflows?.get(start.workflowId);
  if (!workflow) throw new WorkflowNotFoundError(start.workflowId, toolName);
  const returned = workflow(...bodyArguments(codec.decode(start.args) as unknown[]));
  const lastYield: { json?: string } = {};
  const value = isGenerator(returned) ? await drive(returned, lastYield) : await returned;
  if (toolName === undefined) {
    const fallback = (value === undefined || value === null) && lastYield.json !== undefined;
    return fitting(codec.encode(fallback ? parsed(lastYield.json) : value, "result"), what("result"));
  }
  const json = value === undefined || value === null ? lastYield.json : resultJson(value);
  return fitting(codec.encode(parsed(json) ?? null, "result"), what("result"));
}

const what = (part: string) =>
  toolName === undefined
    ? `The ${part} of the workflow`
    : `The ${part} of the tool ${JSON.stringify(toolName)}`;
const resultJson = (value: unknown) => toJson(value, what("result"), "output");
const parsed = (json: string | undefined): unknown => (json === undefined ? undefined : JSON.parse(json));

function isGenerator(value: unknown): value is AsyncGenerator<unknown, unknown, undefined> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value && "next" in value;
}

/** Publishes what the generator yields and advances it. A snapshot that isn't JSON throws at its `yield`. */
async function drive(
  generator: AsyncGenerator<unknown, unknown, undefined>,
  last: { json?: string },
): Promise<unknown> {
  let next = await generator.next();
  while (!next.done) {
    try {
      last.json = fitting(toJson(next.value ?? null, what("progress"), "progress"), what("progress"));
    } catch (error) {
      if (!(error instanceof ResultError || error instanceof OversizeError)) throw error;
      next = await generator.throw(error);
      continue;
    }
    emit({ op: "progress", value: last.json });
    next = await generator.next();
  }
  return next.value;
}

/** devalue text of what the body threw; always an error, also when it threw something else. */
function failure(thrown: unknown): string {
  if (isErrorObject(thrown)) return codec.encode(advised(thrown), ERROR);
  const error = new Error(`The body threw something that is not an Error: ${shown(thrown)}`);
  error.stack = `Error: ${error.message}`;
  return codec.encode(Object.assign(error, { cause: thrown }), ERROR);
}

const shown = (value: unknown): string => (typeof value === "string" ? stringify(value) : messageOf(value));

/** A name that exists in Node but not in a body is an ordinary ReferenceError; the reader should learn why. */
const MISSING: Record<string, string> = {
  process: "Read process and its environment in a step and pass on the values the body needs.",
  Buffer: "Use Uint8Array, TextEncoder and TextDecoder, or do it in a step.",
  __dirname: "Read files in a step.",
  __filename: "Read files in a step.",
  WeakRef: "Whether a value was collected differs from replay to replay.",
  FinalizationRegistry: "Whether a value was collected differs from replay to replay.",
  SharedArrayBuffer: "Bodies share no memory.",
  WebAssembly: "Use it in a step.",
};

function advised(error: Error): Error {
  const text = error instanceof ReferenceError ? messageOf(error) : "";
  const name = /^(\w+) is not defined$/.exec(text)?.[1];
  const advice = name !== undefined && Object.hasOwn(MISSING, name) ? MISSING[name] : undefined;
  if (advice === undefined) return error;
  const message = `${text} in a workflow body, which is replayed. ${advice}`;
  const stack = (error.stack ?? "").replace(text, () => message);
  Object.defineProperty(error, "message", { value: message, configurable: true, writable: true });
  Object.defineProperty(error, "stack", { value: stack, configurable: true, writable: true });
  return error;
}
