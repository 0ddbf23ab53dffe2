/** `ctx`: what a tool's body knows of its call, and can ask of the session. */
import { TOOL_CONTEXT } from "../values/describe.js";
import { ask } from "./ask.js";
import { WorkflowUsageError } from "./errors.js";
import { createServing, type CallRecord, type Serving } from "./serve.js";
import { durableSignal } from "./signals.js";
import { start } from "./state.js";
import { environment } from "./values.js";

/** The plain part of a tool call's context, as the host gives it. */
interface ToolCall extends Omit<CallRecord, "signal"> {
  toolName: string;
  /** Default: `call`. */
  signal?: string;
}

let tool: ToolCall | undefined;
export let toolName: string | undefined;
/** The calls of a `serve` body; `undefined` for other bodies, and before the body has started. */
export let serving: Serving | undefined;

/** Reads the call that the run belongs to, if any. Before the body runs, which could replace `JSON`. */
export function beginCall(): void {
  tool = start.tool === undefined ? undefined : (JSON.parse(start.tool) as ToolCall);
  toolName = tool?.toolName;
}

/** What the workflow function is called with. @param args the decoded arguments of the run. */
export function bodyArguments(args: readonly unknown[]): unknown[] {
  if (!tool) return [...args];
  const call: CallRecord = { ...tool, signal: tool.signal ?? "call" };
  if (start.entryPoint !== "serve") return [...args, callContext(call, tool.toolName)];
  serving = createServing(call, args[0], tool.toolName);
  return [serving.receive, serveContext(serving, tool.toolName)];
}

function callContext(call: CallRecord, name: string): object {
  const context = {
    session: frozen(call.session),
    callId: call.callId,
    toolName: name,
    get abortSignal() {
      return durableSignal(call.signal);
    },
    agents: frozen(call.agents ?? {}),
    agent,
    ask: (request: unknown, options?: unknown) => ask(request, options, call.signal),
    ...STEP_ONLY,
  };
  return marked(context, () => call);
}

function serveContext(served: Serving, name: string): object {
  const context = {
    get session() {
      return frozen(served.current.session);
    },
    get agents() {
      return frozen(served.current.agents ?? {});
    },
    toolName: name,
    agent,
    async ask(request: unknown, options?: unknown): Promise<unknown> {
      if (!served.working()) {
        throw new WorkflowUsageError(
          "ctx.ask() needs a call that waits for its result: ask between `await receive()` and `ctx.reply()`.",
        );
      }
      return await ask(request, options, served.current.signal, served.current.callId);
    },
    reply: served.reply,
    get callId(): never {
      throw new WorkflowUsageError(
        "ctx.callId isn't available in a serve body: each received call has its own.",
      );
    },
    get abortSignal(): never {
      throw new WorkflowUsageError(
        "ctx.abortSignal isn't available in a serve body: each received call has its own.",
      );
    },
    ...STEP_ONLY,
  };
  return marked(context, () => served.current);
}

function stepOnly(name: string): () => never {
  return () => {
    throw new WorkflowUsageError(
      `ctx.${name}() isn't available in a workflow body: pass ctx to a "use step" function and call it there.`,
    );
  };
}

const STEP_ONLY = {
  getToken: stepOnly("getToken"),
  requireAuth: stepOnly("requireAuth"),
  getSandbox(): never {
    throw new WorkflowUsageError("ctx.getSandbox() isn't available in workflow tools.");
  },
};

function agent(name: unknown): never {
  if (typeof name !== "string" || name.trim() === "") {
    throw new TypeError("ctx.agent() takes the name of an agent.");
  }
  throw new WorkflowUsageError(
    `ctx.agent(${JSON.stringify(name)}) needs a session, which \`eve start\` and \`eve dev\` offer; this run has none.`,
  );
}

/** Contexts that may be passed to a step, with the call they stand for. */
const contexts = new WeakMap<object, () => CallRecord>();

function marked(context: object, call: () => CallRecord): object {
  // Enumerable, so that an encoder stops here with its reason instead of at one of the functions.
  Object.defineProperty(context, TOOL_CONTEXT, { value: true, enumerable: true });
  contexts.set(context, call);
  return Object.freeze(context);
}

environment.describeToolContext = (value) => {
  const call = contexts.get(value)?.();
  if (!call || toolName === undefined) return undefined;
  return { callId: call.callId, toolName, session: call.session, signal: call.signal };
};

function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) frozen(inner);
  return Object.freeze(value);
}
