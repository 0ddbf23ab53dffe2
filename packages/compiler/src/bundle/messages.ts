import type { BuildFailure } from "esbuild";

/** Whether an error is esbuild's report of faults in the input. */
export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors) && "warnings" in error;
}
