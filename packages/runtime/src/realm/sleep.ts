import ms from "ms";
import { messageOf } from "../values/thrown.js";
import { callSite } from "./stack.js";
import { nextKey, run, settled } from "./state.js";

/** The last time a Date can hold, epoch ms. */
const LAST_TIME = 8.64e15;

const shown = (until: unknown): string =>
  typeof until === "string" ? JSON.stringify(until) : messageOf(until);

/** Epoch ms at which a sleep ends. @throws TypeError for anything but `ms` texts, numbers ≥ 0 and dates. */
function wakeTime(until: unknown): number {
  if (until instanceof Date) {
    const time = until.getTime();
    if (Number.isNaN(time)) throw new TypeError("sleep() got an invalid Date.");
    return time;
  }
  const duration = typeof until === "string" ? parsed(until) : until;
  if (typeof duration === "number" && Number.isFinite(duration) && duration >= 0) {
    const time = run.now + Math.ceil(duration);
    if (time <= LAST_TIME) return time;
    throw new TypeError(
      `sleep() got ${shown(until)}, which ends after the last date there is (+275760-09-13).`,
    );
  }
  throw new TypeError(
    `sleep() takes milliseconds (a number of at least 0), a text such as "30s", "4h" or "2 days", or a Date; it got ${shown(until)}.`,
  );
}

/** Milliseconds of a text in the grammar of `ms`, which itself throws for the lengths it doesn't take. */
function parsed(text: string): number | undefined {
  return text.length > 0 && text.length <= 100 ? ms(text as ms.StringValue) : undefined;
}

/** `globalThis[Symbol.for("WORKFLOW_SLEEP")]`: waits durably. */
export async function sleep(until: unknown): Promise<void> {
  const operation = {
    op: "sleep",
    until: wakeTime(until),
    key: nextKey("sleep"),
    site: callSite(),
  } as const;
  await settled(operation);
}
