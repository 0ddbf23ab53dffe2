/** Bodies for tests, written by hand in the form that compiled output has. */
import { createHostCodec } from "../../values/host.js";
import { createBody, type BodyOptions } from "../body.js";
import { compileWorkflowBundle } from "../bundle.js";
import type { Body, BodyHost, BodyStart, Delivery, Operation, PumpResult } from "../protocol.js";

/** What compiled bodies have in scope: steps `a`, `b`, `fails`, and the functions of the module `workflow`. */
const PRELUDE = `globalThis.__private_workflows = new Map();
const S = Symbol.for;
async function a(...args) { return globalThis[S("WORKFLOW_USE_STEP")]("step//./t//a")(...args); }
async function b(...args) { return globalThis[S("WORKFLOW_USE_STEP")]("step//./t//b")(...args); }
a.stepId = "step//./t//a"; b.stepId = "step//./t//b";
const sleep = (until) => globalThis[S("WORKFLOW_SLEEP")](until);
const createHook = (options) => globalThis[S("WORKFLOW_CREATE_HOOK")](options);
const createWebhook = (options = {}) => createHook({ ...options, isWebhook: true });
const getWorkflowMetadata = () => globalThis[S("WORKFLOW_CONTEXT")];
const getWritable = ({ namespace } = {}) => Object.create(WritableStream.prototype, { [S("WORKFLOW_STREAM_NAME")]: { value: globalThis[S("WORKFLOW_GET_STREAM_ID")](namespace) } });
`;

export const STEP_A = "step//./t//a";
export const STEP_B = "step//./t//b";
export const codec = createHostCodec();
export const T0 = Date.UTC(2030, 0, 2, 3, 4, 5);

export const TOOL = JSON.stringify({
  session: { id: "ses_1", auth: { current: null, initiator: null }, turn: { id: "turn_0", sequence: 0 } },
  callId: "call_1",
  toolName: "deploy",
  agents: { reviewer: { description: "Reviews" } },
});

export interface TestBody {
  body: Body;
  /** Everything the body asked for so far. */
  operations: Operation[];
  console: string[];
  unhandled: string[];
  pump(delivery: DistributiveOmit<Delivery, "at"> & { at?: number }): PumpResult;
  /** Delivers a value for an operation. */
  resolve(key: string, value?: unknown): PumpResult;
  reject(key: string, error: unknown): PumpResult;
  /** The decoded output; throws the decoded error of a failed body. */
  output(): unknown;
  error(): Error & Record<string, unknown>;
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface TestOptions extends BodyOptions {
  args?: unknown[];
  tool?: string;
  entryPoint?: BodyStart["entryPoint"];
  seed?: string;
  host?: Partial<BodyHost>;
  replaying?: boolean;
}

/** Starts a body. @param source statements that end with `async function main(…) {…}` (or a generator). */
export function start(source: string, options: TestOptions = {}): TestBody {
  const bundle = compileWorkflowBundle(`${PRELUDE}${source}\nglobalThis.__private_workflows.set("w", main);`);
  const { args = [], tool, entryPoint, seed = "000102030405060708090a0b0c0d0e0f" } = options;
  const begin: BodyStart = {
    runId: "run_1",
    workflowId: "w",
    args: codec.encode(args, "args"),
    seed,
    startedAt: T0,
    metadata: JSON.stringify({
      workflowRunId: "run_1",
      workflowName: "w",
      workflowStartedAt: T0,
      url: "http://127.0.0.1:3000",
    }),
    ...(tool === undefined ? {} : { tool, entryPoint: entryPoint ?? "execute" }),
  };
  const unhandled: string[] = [];
  const body = createBody(
    begin,
    bundle,
    {
      hookToken: (key) => `token-${key}`,
      webhookUrl: (_key, token) => `http://127.0.0.1:3000/.well-known/workflow/v1/webhook/${token}`,
      unhandledRejection: (error) => unhandled.push(error),
      ...options.host,
    },
    options,
  );
  let at = T0;
  let outcome: PumpResult["outcome"];
  const test: TestBody = {
    body,
    operations: [],
    console: [],
    unhandled,
    pump(delivery) {
      at = delivery.at ?? at + 1;
      const full = { replaying: options.replaying ?? false, ...delivery, at } as Delivery;
      const result = body.pump(full);
      test.operations.push(...result.operations);
      test.console.push(...result.console.map(({ level, text }) => `${level}: ${text}`));
      outcome ??= result.outcome;
      return result;
    },
    resolve: (key, value) => test.pump({ type: "resolve", key, value: codec.encode(value, "value") }),
    reject: (key, error) => test.pump({ type: "reject", key, error: codec.encode(error, "error") }),
    output() {
      if (!outcome) throw new Error("the body has not ended");
      if (outcome.status === "failed") throw codec.decode(outcome.error);
      return codec.decode(outcome.output);
    },
    error() {
      if (outcome?.status !== "failed")
        throw new Error(`the body has not failed: ${JSON.stringify(outcome)}`);
      return codec.decode(outcome.error) as Error & Record<string, unknown>;
    },
  };
  test.pump({ type: "start", at: T0 });
  return test;
}

/** Runs a body that asks for nothing, to its output. */
export function evaluate(source: string, options: TestOptions = {}): unknown {
  return start(`async function main(...args) {\n${source}\n}`, options).output();
}
