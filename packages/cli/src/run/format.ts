import type { RunReport, RunSummary, StepReport, WaitReport } from "@eve/runtime";
import type { Io } from "../terminal/io.js";

const UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** `48ms`, `1s`, `1h 2m 3s` (05, Tasks). */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)}ms`;
  let left = ms;
  const parts: string[] = [];
  for (const [unit, size] of UNITS) {
    const count = Math.floor(left / size);
    if (count > 0) parts.push(`${count}${unit}`);
    left -= count * size;
  }
  return parts.join(" ");
}

function paintStatus(io: Io, status: string): string {
  const { colors } = io;
  if (status.trim() === "completed") return colors.green(status);
  if (["failed", "stalled"].includes(status.trim())) return colors.red(status);
  return ["waiting", "retrying", "interrupted"].includes(status.trim()) ? colors.yellow(status) : status;
}

/** How things stand besides the store: nobody works on the runs when `idle`. */
export interface Standing {
  idle: boolean;
}

/** A run that is at work according to its log, while no process works on it, was interrupted. */
const shownStatus = (status: string, { idle }: Standing) =>
  status === "running" && idle ? "interrupted" : status;

/** One line per run, with what a run was started by below it in the list. */
export function formatRuns(io: Io, runs: readonly RunSummary[], standing: Standing): string {
  if (runs.length === 0) return "No runs yet. Start one with eve run <tool>.";
  const nameOf = ({ tool, workflowId, parentRunId }: RunSummary) =>
    (tool ?? workflowId.split("//").at(-1) ?? workflowId) +
    (parentRunId === undefined ? "" : ` (by ${parentRunId})`);
  const width = Math.max(16, ...runs.map((run) => nameOf(run).length));
  return runs
    .map((run) => {
      const { runId, status, startedAt, durationMs } = run;
      const time = durationMs === undefined ? "" : formatDuration(durationMs);
      const shown = paintStatus(io, shownStatus(status, standing).padEnd(11));
      return [runId, shown, nameOf(run).padEnd(width), io.colors.dim(startedAt), time].join("  ").trimEnd();
    })
    .join("\n");
}

/** A run for people: what it is, its steps and waits, and its history. */
export function formatReport(io: Io, report: RunReport, standing: Standing): string {
  const { colors } = io;
  const { runId, tool, workflowId, status, startedAt, durationMs, input, output, error, cancelReason } =
    report;
  const lines = [
    `${colors.bold(runId)}  ${paintStatus(io, shownStatus(status, standing))}`,
    `  ${tool === undefined ? "workflow" : `tool ${tool},`} ${workflowId}`,
    `  started ${startedAt}${durationMs === undefined ? "" : `, took ${formatDuration(durationMs)}`}`,
  ];
  if (input !== undefined) lines.push(`  input   ${JSON.stringify(input)}`);
  if (output !== undefined) lines.push(`  output  ${JSON.stringify(output)}`);
  if (cancelReason !== undefined) lines.push(`  cancelled: ${cancelReason}`);
  if (error) lines.push(colors.red(indent(error.stack ?? `${error.name}: ${error.message}`)));
  if (report.steps.length > 0)
    lines.push("", colors.bold("steps"), ...report.steps.map((step) => stepLine(io, step)));
  if (report.waits.length > 0)
    lines.push("", colors.bold("waits"), ...report.waits.map((wait) => waitLine(io, wait)));
  lines.push("", colors.bold("timeline"));
  for (const { offsetMs, text } of report.timeline)
    lines.push(`  ${colors.dim(`+${formatDuration(offsetMs)}`.padStart(12))}  ${text.split("\n")[0] ?? ""}`);
  // Where a process works on the runs, it goes on by itself.
  if (standing.idle && (status === "waiting" || status === "running"))
    lines.push("", `Go on with: eve run --resume ${runId}`);
  return lines.join("\n");
}

function stepLine(io: Io, { id, status, attempts, durationMs, at, error }: StepReport): string {
  const details = [
    attempts > 1 ? `${attempts} attempts` : "",
    durationMs === undefined ? "" : formatDuration(durationMs),
    at === undefined ? "" : io.colors.dim(at),
    error ? io.colors.red(error.message.split("\n")[0] ?? "") : "",
  ];
  return `  ${paintStatus(io, status.padEnd(9))}  ${id}  ${details.filter(Boolean).join("  ")}`.trimEnd();
}

function waitLine(io: Io, wait: WaitReport): string {
  const what =
    wait.kind === "sleep"
      ? `until ${wait.until ?? ""}`
      : wait.kind === "question"
        ? `${wait.requestId ?? ""}: ${String((wait.request as { prompt?: unknown } | undefined)?.prompt ?? "").split("\n")[0] ?? ""}`
        : (wait.url ?? wait.token ?? "");
  return `  ${paintStatus(io, wait.status.padEnd(9))}  ${wait.kind.padEnd(8)}  ${what}`;
}

const indent = (text: string) =>
  text
    .split("\n")
    .map((line) => `  ${line}`)
    .join("\n");
