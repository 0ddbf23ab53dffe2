import type { RunReport, RunStatus } from "@eve/runtime";

type EndedStatus = "completed" | "failed" | "cancelled";

/** Whether a run with this status has ended for good. */
export function hasEnded(status: RunStatus): status is EndedStatus {
  return status === "completed" || status === "failed" || status === "cancelled";
}

/** The document of `eve run --json` (`docs/cli.md`). */
export interface RunDocument {
  status: EndedStatus | "waiting";
  output?: unknown;
  error?: { name: string; message: string; stack?: string };
  progress: unknown[];
  steps: {
    id: string;
    status: string;
    attempts: number;
    error?: { name: string; message: string; stack?: string };
  }[];
  runId: string | null;
}

/** Makes the document from what is recorded. A run that hasn't ended is `waiting`. */
export function runDocument(report: RunReport): RunDocument {
  const { status, output, error, progress, steps, runId } = report;
  return {
    status: hasEnded(status) ? status : "waiting",
    ...(status === "completed" ? { output: output ?? null } : {}),
    ...(error === undefined ? {} : { error }),
    progress,
    steps: steps.map((step) => ({
      id: step.id,
      status: step.status,
      attempts: step.attempts,
      ...(step.error === undefined ? {} : { error: step.error }),
    })),
    runId,
  };
}

/** The document of a call that was refused before a run started. */
export function refusedDocument(reason: string): RunDocument {
  return {
    status: "cancelled",
    error: { name: "TOOL_EXECUTION_DENIED", message: reason },
    progress: [],
    steps: [],
    runId: null,
  };
}
