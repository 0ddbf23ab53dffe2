/** What steps end with for no fault of their own. Cancelled ones reject with aborts, as everywhere on the platform. */

interface EndedStep {
  stepId: string;
  /** Attempts that began. */
  attempts: number;
}

/** The error of a step whose process ended, and which isn't tried again. */
export const crashedWhenCancelled = ({ stepId, attempts }: EndedStep): DOMException =>
  abortError(
    `The process ended while attempt ${attempts} of step ${stepId} ran; it isn't tried again, because the run was cancelled`,
  );

/** The error of a step that was asked for and had not begun. */
export const neverStarted = ({ stepId }: EndedStep): DOMException =>
  abortError(`Step ${stepId} was not started, because the run was cancelled`);

/** What is recorded of an attempt that was given up because its process was asked to end. */
export function stopped({ stepId, attempts }: EndedStep): Error {
  const error = new Error(`The process was stopped while attempt ${attempts} of step ${stepId} ran`);
  error.stack = `Error: ${error.message}`;
  return error;
}

function abortError(message: string): DOMException {
  const error = new DOMException(message, "AbortError");
  // Frames of the engine would only hide the body's, which are added where it awaits the step.
  Object.defineProperty(error, "stack", {
    value: `AbortError: ${message}`,
    configurable: true,
    writable: true,
  });
  return error;
}
