import { RuntimeError } from "./base.js";

/** One side of a divergence: an operation and where the author's code asked for it. */
export interface DivergentCall {
  /** In words: `step step//./agent/tools/deploy//plan (call 1)`. */
  what: string;
  /** `file:line:column` in the author's file, when it can be told. */
  at?: string;
  /** What it was asked with, cut where it gets long: arguments, a prompt, a time. */
  value?: string;
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

function line({ what, at, value }: DivergentCall): string {
  return `${what}${at === undefined ? "" : ` at ${at}`}${value === undefined ? "" : `: ${value}`}`;
}

/** A divergence in words; `verdict` says what it means for the run. */
function describe(verdict: string, { now, recorded, difference, nodeMajor }: DivergenceDetails): string {
  const lines = [`${verdict}: its code no longer does what the log recorded. ${difference}.`];
  // Two sides that read the same say nothing that the difference doesn't.
  const same = recorded && now && line(recorded) === line(now);
  if (same) lines.push(`  in: ${line(now)}`);
  else {
    if (recorded) lines.push(`  recorded: ${line(recorded)}`);
    if (now) lines.push(`  now:      ${line(now)}`);
  }
  if (nodeMajor && nodeMajor.recorded !== nodeMajor.now) {
    lines.push(`  (recorded on Node ${nodeMajor.recorded}, replayed on Node ${nodeMajor.now})`);
  }
  return lines.join("\n");
}

/**
 * What a divergence says of a run that is only compared: it goes on on the build that started it, whatever is found.
 * `sameBuild`: it was compared with that very build.
 */
export function describeMisfit(details: DivergenceDetails, sameBuild: boolean): string {
  const verdict = sameBuild
    ? "doesn't replay on the build that recorded it"
    : "wouldn't fit the present build";
  return describe(`Run ${details.runId} ${verdict}`, details);
}

/** A replay asked for something else than what was recorded. */
export class ReplayDivergenceError extends RuntimeError {
  readonly code = "REPLAY_DIVERGENCE";
  readonly details: DivergenceDetails;

  constructor(details: DivergenceDetails) {
    super(describe(`Run ${details.runId} can't be continued`, details), {
      action:
        "Keep the order and arguments of the operations that runs have behind them, and give renamed steps an alias in eve.ids.json; eve replay --all tells before a deploy which runs that concerns.",
    });
    this.name = "ReplayDivergence";
    this.details = details;
  }
}
