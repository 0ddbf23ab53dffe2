import { tooLarge } from "../values/errors.js";
import { RuntimeError } from "./base.js";

/** No run with that id. */
export class RunNotFoundError extends RuntimeError {
  readonly code = "RUN_NOT_FOUND";

  constructor(runId: string) {
    super(`There is no run ${runId}.`, { action: "`eve runs list` shows the runs of this data folder." });
  }
}

/** The run has ended: it takes no more answers, payloads or cancellations. */
export class RunEndedError extends RuntimeError {
  readonly code = "RUN_ENDED";

  constructor(runId: string, status: string) {
    super(`Run ${runId} has ended (${status}).`);
  }
}

/** The run's question isn't open: answered, withdrawn, or never asked. */
export class QuestionNotPendingError extends RuntimeError {
  readonly code = "QUESTION_NOT_PENDING";

  constructor(runId: string, requestId: string, open: readonly string[]) {
    super(`Run ${runId} has no open question ${requestId}.`, {
      action: open.length > 0 ? `Open: ${open.join(", ")}.` : "It has no open question at all.",
    });
  }
}

/** The answer doesn't fit the question. The question stays open. */
export class InvalidAnswerError extends RuntimeError {
  readonly code = "INVALID_ANSWER";

  constructor(requestId: string, reason: string, action?: string) {
    super(`This can't answer ${requestId}: ${reason}.`, action === undefined ? {} : { action });
  }
}

/** No live hook has that token. */
export class HookNotFoundError extends RuntimeError {
  readonly code = "HOOK_NOT_FOUND";

  constructor(token: string) {
    super(
      `No run waits on the hook ${JSON.stringify(token)}: it was never created, was disposed, or its run ended.`,
    );
  }
}

/** The engine was closed, or has been asked to close. */
export class EngineClosedError extends RuntimeError {
  readonly code = "ENGINE_CLOSED";

  constructor() {
    super("The engine is closed; nothing was started or changed.");
  }
}

/** The build doesn't have the tool. */
export class UnknownToolError extends RuntimeError {
  readonly code = "UNKNOWN_TOOL";

  constructor(tool: string, known: readonly string[]) {
    const list = known.length > 0 ? `It has: ${known.join(", ")}.` : "It has no workflow tool.";
    super(`The build has no workflow tool ${JSON.stringify(tool)}.`, { action: list });
  }
}

/** The build that would run it doesn't have the workflow. */
export class WorkflowMissingError extends RuntimeError {
  readonly code = "WORKFLOW_MISSING";

  constructor(workflowId: string, buildId: string, options: { replaces?: string } = {}) {
    const where = options.replaces
      ? `build ${options.replaces}, which started the run, is gone, and the present build ${buildId} doesn't have it`
      : `build ${buildId} doesn't have it`;
    super(`The workflow ${workflowId} is missing: ${where}.`, {
      action: "It was renamed, moved or removed; restore it, or give its new place an alias to the old id.",
    });
  }
}

/** No step function is registered under the id. */
export class StepMissingError extends RuntimeError {
  readonly code = "STEP_MISSING";

  constructor(stepId: string, buildId: string) {
    super(`The step ${stepId} is missing from build ${buildId}.`, { action: "Build the app again." });
  }
}

/** A value is larger than the limit for what one operation may carry. */
export class ValueTooLargeError extends RuntimeError {
  readonly code = "VALUE_TOO_LARGE";

  /** @param size of the whole value, when it was encoded at all */
  constructor(what: string, size: number | undefined, limit: number) {
    super(tooLarge(what, size, limit), {
      action: "Store the data somewhere and pass a reference to it.",
    });
  }
}

/** The log was written by a version of eve whose entries mean something else. */
export class LogVersionError extends RuntimeError {
  readonly code = "LOG_VERSION";

  constructor(runId: string, found: number, known: number) {
    super(`The log of run ${runId} has version ${found}; this version of eve reads ${known}.`, {
      action: "Use the version of eve that wrote it.",
    });
  }
}

/** A file that should hold an exported run doesn't. */
export class ImportError extends RuntimeError {
  readonly code = "INVALID_EXPORT";

  constructor(reason: string) {
    super(`This is no exported run: ${reason}.`, { action: "Write one with `eve runs export <runId>`." });
  }
}

/** The body asked for something that this command doesn't offer. */
export class OperationUnavailableError extends RuntimeError {
  readonly code = "OPERATION_UNAVAILABLE";

  constructor(name: string) {
    super(`${name} isn't available in this process.`, {
      action: "Sessions with agents are offered by `eve dev` and `eve start`.",
    });
  }
}

/** The body waits for something that can't come. Nothing happens to the run by itself. */
export class RunStuckError extends RuntimeError {
  readonly code = "RUN_STUCK";

  constructor(runId: string) {
    super(
      `Run ${runId} waits for nothing: its body awaits a promise that no step, sleep, hook or question settles.`,
      {
        action: `Await what the workflow API gives. A cancellation still reaches it: eve runs cancel ${runId}.`,
      },
    );
  }
}

/** The run's body hung several processes and was set aside, so that it can't hang the next one. */
export class RunStalledError extends RuntimeError {
  readonly code = "RUN_STALLED";

  constructor(runId: string) {
    super(
      `Run ${runId} is set aside: its body ran for seconds without waiting for anything, in several processes.`,
      {
        action: "Fix the loop in the body and try the run again, or cancel it.",
      },
    );
  }
}
