import type { RunResult } from "../engine/options.js";

/** A result as JSON for clients: errors carry name and message, never a stack. */
export function resultJson(result: RunResult): object {
  if (result.status !== "failed") return result;
  const { name, message } = result.error;
  return { status: result.status, error: { name, message } };
}
