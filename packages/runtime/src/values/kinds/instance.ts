import type { SerializableClass } from "../environment.js";
import { readOf } from "../thrown.js";
import { isObject, type ValueKind } from "./kind.js";

/** The Workflow SDK's protocol for classes: two static methods, and an id under which the class is registered. */
const SERIALIZE = Symbol.for("workflow-serialize");
const DESERIALIZE = Symbol.for("workflow-deserialize");

interface Serializing extends SerializableClass {
  [SERIALIZE]?(instance: unknown): unknown;
  [DESERIALIZE]?(data: unknown): unknown;
}

interface InstancePayload {
  classId: string;
  data: unknown;
}

/** An instance of a class with `static [Symbol.for("workflow-serialize")]`. */
export const instanceKind: ValueKind = {
  tag: "Instance",

  reduce(value) {
    if (!isObject(value)) return undefined;
    // Whatever can't even be asked for its class is another kind's business.
    const type = readOf(() => (value as { constructor?: unknown }).constructor);
    if (typeof type !== "function") return undefined;
    const { classId, [SERIALIZE]: serialize } = type as unknown as Serializing;
    if (typeof serialize !== "function") return undefined;
    if (typeof classId !== "string") {
      throw new TypeError(
        `the class ${type.name} has no id: it must be declared in a module of the application`,
      );
    }
    return { classId, data: serialize.call(type, value) } satisfies InstancePayload;
  },

  revive({ classId, data }: InstancePayload, environment) {
    const type = environment.classById(classId) as Serializing | undefined;
    const deserialize = type?.[DESERIALIZE];
    if (typeof deserialize !== "function") {
      throw new TypeError(
        type
          ? `the class ${type.name} has no static [Symbol.for("workflow-deserialize")]`
          : `the class ${classId} isn't part of this bundle`,
      );
    }
    return deserialize.call(type, data);
  },
};
