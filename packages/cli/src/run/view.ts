import type { Io } from "../terminal/io.js";
import type { RunView } from "./follow.js";

const SECOND = 1_000;

/** Shows a run on the terminal: progress on stdout, what it waits for on stderr. */
export function terminalView(io: Io, out: (text: string) => void): RunView {
  const { colors } = io;
  return {
    progress: (value) => out(`${colors.dim("progress")} ${JSON.stringify(value)}`),
    step(event) {
      const name = event.stepId.split("//").at(-1) ?? event.stepId;
      if (event.phase === "retrying")
        io.err(
          colors.yellow(
            `! step ${name} failed; attempt ${event.attempt + 1} at ${new Date(event.retryAt).toISOString()}`,
          ),
        );
      else if (io.interactive && event.phase === "started")
        io.err(colors.dim(`· step ${name}${event.attempt > 1 ? ` (attempt ${event.attempt})` : ""}`));
    },
    wait(event) {
      if (event.type === "hook")
        io.err(
          `${colors.cyan("…")} waits on ${event.webhook ? `webhook ${event.url ?? ""}` : `hook ${event.token}`}`,
        );
      else if (event.until - Date.now() > SECOND)
        io.err(`${colors.cyan("…")} sleeps until ${new Date(event.until).toISOString()}`);
    },
  };
}
