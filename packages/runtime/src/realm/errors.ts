/** Errors that a body sees when it asks for something that isn't possible where it stands. */

const ERRORS = Symbol.for("eve.errors");

/** The call isn't available here; the message says where it is. Never retried. */
export class WorkflowUsageError extends Error {
  override readonly name = "WorkflowUsageError";
  readonly code = "WORKFLOW_USAGE";
}

/** The bundle has no workflow of this id. */
export class WorkflowNotFoundError extends Error {
  override readonly name = "WorkflowNotFoundError";
  readonly code = "WORKFLOW_NOT_FOUND";

  constructor(workflowId: string, tool: string | undefined) {
    super(
      `The workflow ${JSON.stringify(workflowId)}${tool === undefined ? "" : ` of the tool ${JSON.stringify(tool)}`} isn't part of this build. ` +
        "It was renamed, moved or removed: restore it, or run the build that started this run.",
    );
  }
}

/** The body's result isn't what its kind of run has to return. */
export class ResultError extends Error {
  override readonly name = "ResultError";
  readonly code = "RESULT_NOT_JSON";
}

/** The hook was disposed; nothing reaches it any more. */
export class HookDisposedError extends Error {
  override readonly name = "HookDisposedError";
  readonly code = "HOOK_DISPOSED";

  constructor(token: string) {
    super(`The hook with the token ${JSON.stringify(token)} was disposed; create a new one to wait again.`);
  }
}

/** Stands in where the bundle doesn't bring the author's class. */
class HookConflictError extends Error {
  override readonly name = "HookConflictError";
  readonly code = "HOOK_CONFLICT";
  readonly token: string;
  readonly conflictingRunId: string | undefined;

  constructor(token: string, conflictingRunId: string | undefined) {
    super(
      `The hook token ${JSON.stringify(token)} is in use by ${conflictingRunId ? `run ${conflictingRunId}` : "another run"}.`,
    );
    this.token = token;
    this.conflictingRunId = conflictingRunId;
  }
}

/** Another live hook owns the token. Of the author's class, so that `instanceof` holds in the body. */
export function hookConflictError(token: string, runId: string | undefined): Error {
  const { HookConflictError: Class = HookConflictError } =
    (globalThis as { [ERRORS]?: { HookConflictError?: typeof HookConflictError } })[ERRORS] ?? {};
  return new Class(token, runId);
}

/** Says where a function of Node belongs instead. */
export function notHere(name: string, advice: string): WorkflowUsageError {
  return new WorkflowUsageError(`${name} isn't available in a workflow body, which is replayed. ${advice}`);
}
