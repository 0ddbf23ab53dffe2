import { ERRORS } from "eve/internal/symbols";
import type { ServerModule } from "../builds/server-module.js";
import { ContextMisuseError } from "../errors/steps.js";
import { describeSignal, type RunSignals } from "../signals/run-signals.js";
import type { StreamHandle, ToolContextHandle, ValueEnvironment } from "../values/index.js";
import type { ErrorTexts } from "../values/stacks.js";
import { describeMessage, reviveMessage, type Respond } from "./http-values.js";

/** What values of a run become on the host. */
export interface HostValues {
  runId: string;
  signals: RunSignals;
  /** The recorded abort of a signal, if there is one. */
  recordedAbort(id: string): { reason: unknown } | undefined;
  /** The most characters of an encoded value. */
  maxSize: number;
  respond?: Respond;
  /** How errors are told. */
  errorTexts(): ErrorTexts | undefined;
  openStream(handle: StreamHandle): unknown;
  describeStream(value: object): StreamHandle | undefined;
  /** `getToken` and `requireAuth` of a step's tool context. */
  authorization: { getToken(provider: unknown): Promise<unknown>; requireAuth(provider: unknown): never };
}

type ErrorClasses = Record<string, { prototype: Error } | undefined>;

/** Error classes of this process by name, as the newest imported build registered them. */
const registeredErrors = () => (globalThis as { [ERRORS]?: ErrorClasses })[ERRORS] ?? {};

/** The host's side of the codec for one run on one build; without a build only plain values revive fully. */
export function hostEnvironment(values: HostValues, server?: ServerModule): ValueEnvironment {
  return {
    errorClass(name) {
      const errors = server?.errors ?? registeredErrors();
      return Object.hasOwn(errors, name) ? errors[name] : undefined;
    },
    classById: (id) => server?.classes.get(id) as ReturnType<ValueEnvironment["classById"]>,
    reviveStep: (stepId) => server?.steps.get(stepId) ?? Object.assign(() => missingStep(stepId), { stepId }),
    describeSignal: (value) => describeSignal(value, values.runId),
    reviveSignal: (handle) =>
      values.signals.get(
        handle.id,
        handle.aborted ? { reason: handle.reason } : values.recordedAbort(handle.id),
      ),
    describeStream: (value) => values.describeStream(value),
    reviveStream: (handle) => values.openStream(handle),
    describeToolContext: () => undefined,
    reviveToolContext: (handle) => stepToolContext(handle, values),
    describeMessage: (value) => describeMessage(value, values.maxSize),
    maxSize: values.maxSize,
    reviveMessage: (message) => reviveMessage(message, values.respond),
    describeHeaders: (value) => (value instanceof Headers ? [...value] : undefined),
    reviveHeaders: (entries) => new Headers(entries),
    get errorTexts() {
      return values.errorTexts();
    },
  };
}

function missingStep(stepId: string): never {
  throw new Error(`The step ${stepId} can only be called where the app's build is loaded.`);
}

/** What a `"use step"` helper gets that receives `ctx` directly. */
function stepToolContext(handle: ToolContextHandle, values: HostValues): object {
  // Functions fail when they are called, so that looking at `ctx` (printing it, say) is no misuse.
  const unavailable = (name: string, action: string) => ({
    value(): never {
      throw new ContextMisuseError(name, action);
    },
  });
  const context = {
    session: handle.session,
    callId: handle.callId,
    toolName: handle.toolName,
    abortSignal: values.signals.get(handle.signal, values.recordedAbort(handle.signal)),
    getToken: (provider: unknown) => values.authorization.getToken(provider),
    requireAuth: (provider: unknown) => values.authorization.requireAuth(provider),
  };
  return Object.freeze(
    Object.defineProperties(context, {
      ask: unavailable("ask", "call it in the workflow body and pass the answer"),
      agent: unavailable("agent", "call it in the workflow body and pass the result"),
      agents: {
        get(): never {
          throw new ContextMisuseError("agents", "read it in the workflow body and pass what the step needs");
        },
      },
      getSandbox: unavailable("getSandbox", "workflow tools have no sandbox"),
    }),
  );
}
