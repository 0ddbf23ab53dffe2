/** The codec of the host realm: what steps receive and return, what hooks are resumed with. */
import { createCodec, type Codec } from "./codec.js";
import {
  PendingBytes,
  type ErrorClass,
  type HttpMessage,
  type SerializableClass,
  type SignalHandle,
  type StreamHandle,
  type ToolContextHandle,
  type ValueEnvironment,
} from "./environment.js";

/** Handles that the engine turns into live objects. Without an entry, values of that kind can't be read. */
export interface HostValues {
  /** Error classes by name; default: those that user code registered in this process. */
  errors?: Readonly<Record<string, ErrorClass>>;
  /** Classes of the build that serialise themselves, by id. */
  classes?: ReadonlyMap<string, SerializableClass>;
  /** The function of a step, for step references. */
  step?(stepId: string): unknown;
  /** A signal that follows the durable one. */
  signal?(handle: SignalHandle): AbortSignal;
  /** The durable signal that `signal` follows, when it is one. */
  describeSignal?(signal: AbortSignal): SignalHandle | undefined;
  stream?(handle: StreamHandle): unknown;
  describeStream?(stream: object): StreamHandle | undefined;
  /** `WorkflowStepToolContext`. */
  toolContext?(handle: ToolContextHandle): unknown;
  describeToolContext?(context: object): ToolContextHandle | undefined;
  /** Answers a request of a manual webhook. `request` is the id of `respond` operations. */
  respond?(request: string, response: Response): Promise<void>;
}

const ERRORS = Symbol.for("eve.errors");
const CLASSES = Symbol.for("workflow-class-registry");

/** Ids of requests that wait for an answer. */
const awaitingAnswer = new WeakMap<Request, string>();

/** A codec for the host. `encode` takes no request or response with a body; `encodeAsync` reads it. */
export function createHostCodec(values: HostValues = {}): Codec {
  return createCodec(hostEnvironment(values));
}

function hostEnvironment(values: HostValues): ValueEnvironment {
  const globals = globalThis as unknown as {
    [ERRORS]?: Record<string, ErrorClass>;
    [CLASSES]?: Map<string, SerializableClass>;
  };
  return {
    errorClass(name) {
      const classes = values.errors ?? globals[ERRORS] ?? {};
      return Object.hasOwn(classes, name) ? classes[name] : undefined;
    },
    classById: (id) => (values.classes ?? globals[CLASSES])?.get(id),
    reviveStep: (id) => (values.step ?? refuse("A step reference"))(id),
    describeSignal: (value) => (value instanceof AbortSignal ? values.describeSignal?.(value) : undefined),
    reviveSignal: (handle) => (values.signal ?? refuse("An AbortSignal"))(handle),
    describeStream: (value) => values.describeStream?.(value),
    reviveStream: (handle) => (values.stream ?? refuse("A stream"))(handle),
    describeToolContext: (value) => values.describeToolContext?.(value),
    reviveToolContext: (handle) => (values.toolContext ?? refuse("A tool context"))(handle),
    describeMessage,
    reviveMessage: (message) => reviveMessage(message, values),
    describeHeaders: (value) => (value instanceof Headers ? [...value] : undefined),
    reviveHeaders: (entries) => new Headers(entries),
  };
}

function refuse(what: string): () => never {
  return () => {
    throw new TypeError(`${what} can't be used here.`);
  };
}

function describeMessage(value: object): HttpMessage | undefined {
  if (value instanceof Request) {
    const { method, url } = value;
    const respond = awaitingAnswer.get(value);
    return {
      kind: "request",
      method,
      url,
      headers: [...value.headers],
      body: pendingBody(value),
      ...(respond === undefined ? {} : { respond }),
    };
  }
  if (value instanceof Response) {
    const { status, statusText } = value;
    return { kind: "response", status, statusText, headers: [...value.headers], body: pendingBody(value) };
  }
  return undefined;
}

function pendingBody(message: Request | Response): PendingBytes | null {
  if (message.bodyUsed) throw new TypeError(`the body of a ${message.constructor.name} was already read`);
  if (message.body === null) return null;
  return new PendingBytes(message.arrayBuffer().then((buffer) => new Uint8Array(buffer)));
}

/** Statuses that allow no body: a Response can't be constructed with one. */
const NULL_BODY = new Set([101, 103, 204, 205, 304]);

function reviveMessage(message: HttpMessage & { body: Uint8Array | null }, values: HostValues): unknown {
  const body = message.body as Uint8Array<ArrayBuffer> | null;
  const headers = new Headers(message.headers);
  if (message.kind === "response") {
    const status = message.status ?? 200;
    const { statusText } = message;
    return new Response(NULL_BODY.has(status) ? null : body, {
      status,
      headers,
      ...(statusText === undefined ? {} : { statusText }),
    });
  }
  const request = new Request(message.url ?? "", { method: message.method ?? "GET", headers, body });
  const { respond } = message;
  if (respond !== undefined) {
    awaitingAnswer.set(request, respond);
    const answer = values.respond ?? refuse("request.respondWith()");
    Object.defineProperty(request, "respondWith", {
      value: (response: Response) => answer(respond, response),
    });
  }
  return request;
}
