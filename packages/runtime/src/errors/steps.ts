import { messageOf } from "../values/thrown.js";
import { RuntimeError } from "./base.js";

/** Which attempt an error came from, and where in the author's files. */
interface Stray {
  stepId: string;
  attempt: number;
  thrown: unknown;
  /** Its stack in the author's files, if it has one. */
  stack: string | undefined;
}

const FRAME = /^\s+at (?:.*\()?(.+?:\d+:\d+)\)?$/m;

function strayText(what: string, { stepId, attempt, thrown, stack }: Stray): string {
  const at = FRAME.exec(stack ?? "")?.[1];
  return `Step ${stepId} (attempt ${attempt}) ${what}: ${messageOf(thrown)}${at === undefined ? "" : ` (at ${at})`}.`;
}

const framesOf = (stack = "") => stack.split("\n").filter((line) => /^\s+at /.test(line));

/** A step rejected a promise that no code awaits. The step goes on, and so does the process. */
export class StepRejectionError extends RuntimeError {
  readonly code = "STEP_REJECTION";

  constructor(stray: Stray) {
    super(strayText("rejected a promise that nobody awaits", stray), {
      action: "Await the promise in the step, or catch its rejection there.",
      cause: stray.thrown,
    });
    this.stack = [`${this.name}: ${this.message}`, ...framesOf(stray.stack)].join("\n");
  }
}

/** A step threw where nobody can catch it: in a timer or an event. Node.js can't go on safely after that. */
export class StepExceptionError extends RuntimeError {
  readonly code = "STEP_EXCEPTION";

  constructor(stray: Stray) {
    super(strayText("threw where nobody can catch it", stray), {
      action: "Throw in the step's own async code, or catch it inside the timer or event listener.",
      cause: stray.thrown,
    });
    this.stack = [`${this.name}: ${this.message}`, ...framesOf(stray.stack)].join("\n");
  }
}

/** A step used something of its tool context that only bodies have. Another attempt can't do better. */
export class ContextMisuseError extends RuntimeError {
  readonly code = "CONTEXT_MISUSE";

  constructor(name: string, action: string) {
    super(`ctx.${name} isn't available in a step: ${action}.`);
  }
}
