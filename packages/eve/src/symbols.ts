/**
 * Names shared by the packages and by compiled output. All of them are in the global symbol registry: user
 * code, the runtime and the replay context each have their own copy of this module.
 */

/** Marks what a `define…` function returned: `{ kind, version }`. */
export const DEFINITION = Symbol.for("eve.definition");

/** `globalThis[HOST]`: what the runtime offers to steps (see `workflow/host-api.ts`). */
export const HOST = Symbol.for("eve.host");

/** `globalThis[ERRORS]`: error classes of this realm by name, so that revived errors pass `instanceof`. */
export const ERRORS = Symbol.for("eve.errors");

/** The public runtime interface of the Workflow SDK (`@workflow/core` 4.8), which compiled output follows. */
export const REGISTERED_STEPS = Symbol.for("@workflow/core//registeredSteps");
export const USE_STEP = Symbol.for("WORKFLOW_USE_STEP");
export const SLEEP = Symbol.for("WORKFLOW_SLEEP");
export const CREATE_HOOK = Symbol.for("WORKFLOW_CREATE_HOOK");
export const CONTEXT = Symbol.for("WORKFLOW_CONTEXT");
export const GET_STREAM_ID = Symbol.for("WORKFLOW_GET_STREAM_ID");
export const STREAM_NAME = Symbol.for("WORKFLOW_STREAM_NAME");
export const SERIALIZE = Symbol.for("workflow-serialize");
export const DESERIALIZE = Symbol.for("workflow-deserialize");

/** What a definition says of itself. */
export interface DefinitionMark {
  kind: "agent" | "tool" | "workflow-tool" | "disabled-tool";
  /** Raised when the meaning of the definition's fields changes. */
  version: 1;
}

/** Reads the mark of a definition; `undefined` for anything no `define…` function returned. */
export function definitionMark(value: unknown): DefinitionMark | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { [DEFINITION]?: DefinitionMark })[DEFINITION];
}
