/** Errors that a body sees when it asks for something that isn't possible where it stands. */

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
