/** What steps reject with that end because their run was cancelled. They are aborts, as everywhere on the platform. */

interface CancelledStep {
  stepId: string;
  /** Attempts that began. */
  attempts: number;
}

/** The error of a step whose process ended, and which isn't tried again. */
export const crashedWhenCancelled = ({ stepId, attempts }: CancelledStep): DOMException =>
  abortError(
    `The process ended while attempt ${attempts} of step ${stepId} ran; it isn't tried again, because the run was cancelled`,
  );

/** The error of a step that was asked for and had not begun. */
export const neverStarted = ({ stepId }: CancelledStep): DOMException =>
  abortError(`Step ${stepId} was not started, because the run was cancelled`);

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
