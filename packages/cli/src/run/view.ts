import type { HookRow } from "@eve/runtime";
import { formatDuration } from "./format.js";
import type { Io } from "../terminal/io.js";
import type { RunView } from "./follow.js";

const SECOND = 1_000;

/** What the terminal shows of a run, and of waits that stood before it was resumed. */
export interface TerminalView extends RunView {
  hook(hook: Pick<HookRow, "webhook" | "url" | "token">): void;
}

/**
 * Shows a run on the terminal: progress on stdout, what it waits for on stderr. `onQuestion` is called when a
 * question comes up.
 */
export function terminalView(io: Io, out: (text: string) => void, onQuestion: () => void): TerminalView {
  const { colors } = io;
  const hook = ({ webhook, url, token }: Pick<HookRow, "webhook" | "url" | "token">) =>
    io.err(`${colors.cyan("…")} waits on ${webhook ? `webhook ${url ?? ""}` : `hook ${token}`}`);
  return {
    question: onQuestion,
    hook,
    progress: (value) => out(`${colors.dim("progress")} ${JSON.stringify(value)}`),
    step(event) {
      const name = event.stepId.split("//").at(-1) ?? event.stepId;
      if (event.phase === "retrying") {
        const wait = formatDuration(Math.max(0, event.retryAt - Date.now()));
        const what = event.crashed
          ? "was cut off when its process ended"
          : `failed: ${event.message.split("\n")[0] ?? ""}`;
        io.err(colors.yellow(`! step ${name} ${what}; attempt ${event.attempt + 1} in ${wait}`));
      } else if (io.interactive && event.phase === "started") {
        io.err(colors.dim(`· step ${name}${event.attempt > 1 ? ` (attempt ${event.attempt})` : ""}`));
      }
    },
    wait(event) {
      if (event.type === "hook") return hook({ ...event, url: event.url ?? "" });
      if (event.until - Date.now() > SECOND) {
        io.err(`${colors.cyan("…")} sleeps until ${new Date(event.until).toISOString()}`);
      }
    },
  };
}
