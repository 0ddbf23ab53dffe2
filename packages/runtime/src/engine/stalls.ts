import { readFileSync, writeFileSync } from "node:fs";

/** How many processes a run's body may hang before it is set aside. */
export const STALLS_ALLOWED = 2;

/** How often each run's body hung a process, as the watchdog wrote it down. An unreadable line counts for nobody. */
export function readStalls(file: string): Map<string, number> {
  const stalls = new Map<string, number>();
  for (const line of readLines(file)) {
    const runId = runOf(line);
    if (runId !== undefined) stalls.set(runId, (stalls.get(runId) ?? 0) + 1);
  }
  return stalls;
}

/** Forgets the stalls of a run: it ended after all, or is to be tried again. */
export function forgetStalls(file: string, runId: string): void {
  const lines = readLines(file);
  const kept = lines.filter((line) => runOf(line) !== runId);
  if (kept.length < lines.length) writeFileSync(file, kept.map((line) => `${line}\n`).join(""));
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

function runOf(line: string): string | undefined {
  try {
    const { runId } = JSON.parse(line) as { runId?: unknown };
    return typeof runId === "string" ? runId : undefined;
  } catch (error) {
    // The process was killed while the line was written.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
