/**
 * The entries of one transaction as the text of a row: JSON of `[[at, …], …]`. Steps are most of a log, so their
 * entries are written without names: `[at, "created", key, args, site]`, `[at, "started", key, attempt]`,
 * `[at, "completed", key, attempt, value]`. What the entry before says already is left out: `null` stands for its time, and
 * for its key. Any other entry is `[at, event]`.
 */
import type { LogEntry, LogEvent } from "../../log/types.js";
import { stepIdOf } from "../../log/state.js";

/** The same as in the entry before. */
const SAME = null;

type Cell = string | number | LogEvent | typeof SAME;

/** Text of the entries that one transaction adds to a run's log. */
export function encodeEntries(entries: readonly LogEntry[]): string {
  const rows: Cell[][] = [];
  let time: number | undefined;
  let known: string | undefined;
  for (const { at, event } of entries) {
    const moment = at === time ? SAME : at;
    time = at;
    if (isPlainStep(event)) {
      const key = event.key === known ? SAME : event.key;
      known = event.key;
      rows.push(stepRow(moment, key, event));
    } else rows.push([moment, event]);
  }
  return JSON.stringify(rows);
}

type StepEvent = Extract<LogEvent, { type: "step-created" | "step-started" | "step-completed" }>;

/** A step whose key isn't of its own id (which no body of this version asks for) is written like any other entry. */
function isPlainStep(event: LogEvent): event is StepEvent {
  switch (event.type) {
    case "step-started":
    case "step-completed":
      return true;
    case "step-created":
      return isKeyOf(event.key, event.stepId);
    default:
      return false;
  }
}

const isKeyOf = (key: string, stepId: string) =>
  key.startsWith(stepId) && key.lastIndexOf("#") === stepId.length;

function stepRow(at: Cell, key: Cell, event: StepEvent): Cell[] {
  switch (event.type) {
    case "step-created":
      return [at, "created", key, event.args, event.site];
    case "step-started":
      return [at, "started", key, event.attempt];
    case "step-completed":
      return [at, "completed", key, event.attempt, event.value];
  }
}

/** Entries of a row's text, the first of which has the number `seq`. Throws when it isn't of the form above. */
export function decodeEntries(seq: number, text: string): LogEntry[] {
  const rows: unknown = JSON.parse(text);
  if (!Array.isArray(rows)) throw new TypeError("it isn't a list of entries");
  const entries: LogEntry[] = [];
  let time: number | undefined;
  let known: string | undefined;
  for (const row of rows as unknown[]) {
    if (!Array.isArray(row)) throw new TypeError("an entry isn't a list");
    const [moment, what, ...cells] = row as unknown[];
    const at = moment === SAME && time !== undefined ? time : moment;
    if (typeof at !== "number") throw new TypeError("an entry has no time");
    time = at;
    if (typeof what === "string") {
      const key: unknown = cells[0] === SAME ? known : cells[0];
      if (typeof key !== "string") throw new TypeError("the entry of a step has no key");
      known = key;
      entries.push({ seq: seq + entries.length, at, event: stepEvent(what, key, cells) });
    } else entries.push({ seq: seq + entries.length, at, event: checkedEvent(what) });
  }
  return entries;
}

function stepEvent(kind: string, key: string, [, first, second]: unknown[]): LogEvent {
  if (kind === "created" && typeof first === "string" && typeof second === "string")
    return { type: "step-created", key, stepId: stepIdOf(key), args: first, site: second };
  if (kind === "started" && typeof first === "number") return { type: "step-started", key, attempt: first };
  if (kind === "completed" && typeof first === "number" && typeof second === "string")
    return { type: "step-completed", key, attempt: first, value: second };
  throw new TypeError("the entry of a step isn't of the form of one");
}

function checkedEvent(event: unknown): LogEvent {
  if (typeof event !== "object" || event === null || typeof (event as LogEvent).type !== "string")
    throw new TypeError("it isn't of the form of an entry");
  return event as LogEvent;
}
