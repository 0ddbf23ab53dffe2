/** The codec of this realm. */
import { createCodec, type Codec } from "../values/codec.js";
import type { ErrorClass, SerializableClass, ValueEnvironment } from "../values/environment.js";
import { WorkflowUsageError } from "./errors.js";
import { start } from "./state.js";

const ERRORS = Symbol.for("eve.errors");
const CLASSES = Symbol.for("workflow-class-registry");

const globals = globalThis as unknown as {
  [ERRORS]?: Record<string, ErrorClass>;
  [CLASSES]?: Map<string, SerializableClass>;
};

/** Built when first needed: the classes of this realm register themselves meanwhile. */
export const environment: ValueEnvironment = {
  errorClass: (name) => (Object.hasOwn(globals[ERRORS] ?? {}, name) ? globals[ERRORS]?.[name] : undefined),
  classById: (id) => globals[CLASSES]?.get(id),
  reviveStep: unavailable,
  describeSignal: () => undefined,
  reviveSignal: unavailable,
  describeStream: () => undefined,
  reviveStream: unavailable,
  describeToolContext: () => undefined,
  reviveToolContext: unavailable,
  describeMessage: () => undefined,
  reviveMessage: unavailable,
  describeHeaders: () => undefined,
  reviveHeaders: unavailable,
  // The exact limit is checked by who knows whose value it is; this one keeps a value of gigabytes from being put together.
  get maxSize() {
    return start.valueSize === undefined ? undefined : 2 * start.valueSize;
  },
};

function unavailable(): never {
  throw new WorkflowUsageError("A value of this kind can't reach a workflow body.");
}

export const codec: Codec = createCodec(environment);
