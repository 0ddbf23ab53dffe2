import { RuntimeError } from "../errors/base.js";

/** The body ran longer than a pump may without yielding. */
export class BodyTimeoutError extends RuntimeError {
  readonly code = "BODY_TIMEOUT";

  constructor(runId: string, workflowId: string, limit: number) {
    super(`The body of ${workflowId} (run ${runId}) ran for ${limit} ms without waiting for anything.`, {
      action:
        "Look for a loop that never awaits a step, a sleep or a hook; heavy computing belongs in a step.",
    });
  }
}

/** The text of `workflow.cjs` is no script. */
export class BundleSyntaxError extends RuntimeError {
  readonly code = "BUNDLE_SYNTAX";

  constructor(cause: unknown) {
    super(`workflow.cjs can't be compiled: ${cause instanceof Error ? cause.message : String(cause)}`, {
      action: "The file is damaged or of another build: run `eve build` again.",
      cause,
    });
  }
}

/** A body was used against its contract: pumped while it runs, after its end, or before its start. */
export class BodyStateError extends RuntimeError {
  readonly code = "BODY_STATE";
}
