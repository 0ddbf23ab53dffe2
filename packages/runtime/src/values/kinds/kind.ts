import type { ValueEnvironment } from "../environment.js";

/** What a kind may ask while it reduces a value. */
export interface ReduceContext {
  environment: ValueEnvironment;
  /** Whether the value, errors inside it apart, can be carried: what else hangs on an error is data only. */
  isData(value: unknown): boolean;
  /** The values that were passed as arguments themselves; a tool context is carried nowhere deeper. */
  direct: ReadonlySet<unknown>;
}

/**
 * One kind of value beyond what devalue carries by itself. `reduce` gives the payload, or `undefined` when the
 * value is of another kind; it is called for every value, so it decides cheaply. `revive` reverses it.
 */
export interface ValueKind {
  tag: string;
  reduce(value: unknown, context: ReduceContext): object | undefined;
  revive(payload: never, environment: ValueEnvironment): unknown;
}

export function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
