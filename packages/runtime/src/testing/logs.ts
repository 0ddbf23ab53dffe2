import type { RunResult } from "../engine/options.js";
import { readError, readValue } from "../inspect/values.js";
import type { LogEntry } from "../log/types.js";

/** How a run ended, from its log alone. Throws when it hasn't. */
export function resultOfLog(log: readonly LogEntry[]): RunResult {
  const last = log.at(-1)?.event;
  if (last?.type !== "run-ended") throw new Error("the run hasn't ended");
  if (last.status === "failed") return { status: "failed", error: readError(last.error ?? "") };
  if (last.status === "cancelled") return { status: "cancelled" };
  return { status: "completed", output: last.output === undefined ? undefined : readValue(last.output) };
}
