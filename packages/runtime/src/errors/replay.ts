import { RuntimeError } from "./base.js";

/** One side of a divergence: an operation and where the author's code asked for it. */
export interface DivergentCall {
  /** In words: `step step//./agent/tools/deploy//plan (call 1)`. */
  what: string;
  /** `file:line:column` in the author's file, when it can be told. */
  at?: string;
}

export interface DivergenceDetails {
  runId: string;
  /** What the code does now; absent when it does nothing where the log has something. */
  now?: DivergentCall;
  /** What the log holds; absent when the code does something the log doesn't have. */
  recorded?: DivergentCall;
  /** What differs, in words. */
  difference: string;
  /** Node majors of the recording and of this process. */
  nodeMajor?: { recorded: number; now: number };
}

const place = (call: DivergentCall) => (call.at === undefined ? call.what : `${call.what} at ${call.at}`);

function messageOf({ runId, now, recorded, difference, nodeMajor }: DivergenceDetails): string {
  const lines = [
    `Run ${runId} can't be continued: its code no longer does what the log recorded. ${difference}.`,
  ];
  if (recorded) lines.push(`  recorded: ${place(recorded)}`);
  if (now) lines.push(`  now:      ${place(now)}`);
  if (nodeMajor && nodeMajor.recorded !== nodeMajor.now) {
    lines.push(`  (recorded on Node ${nodeMajor.recorded}, replayed on Node ${nodeMajor.now})`);
  }
  return lines.join("\n");
}

/** A replay asked for something else than what was recorded. */
export class ReplayDivergenceError extends RuntimeError {
  readonly code = "REPLAY_DIVERGENCE";
  readonly details: DivergenceDetails;

  constructor(details: DivergenceDetails) {
    super(messageOf(details), {
      action:
        "Finish the run on the build that started it, or keep the order and arguments of its operations.",
    });
    this.name = "ReplayDivergence";
    this.details = details;
  }
}
