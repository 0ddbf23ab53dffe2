/**
 * Whatever can be thrown can be hostile: a getter or a Proxy trap throws when it is looked at, `toString` too, and an
 * object may have none. These functions say what there is to say and never throw themselves.
 */

/** The result of reading something of a thrown value; undefined when it can't be read. */
export function readOf<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    // What the value throws when it is looked at is no better than the value itself.
    return undefined;
  }
}

/** `value instanceof Error`, also for a Proxy that answers nothing. */
export const isErrorObject = (value: unknown): value is Error =>
  readOf(() => value instanceof Error) ?? false;

/** The message of an error, or the text of anything else. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== "object" && typeof thrown !== "function") return String(thrown);
  const message = isErrorObject(thrown) ? readOf(() => text(thrown.message)) : undefined;
  return message ?? readOf(() => dataOf(thrown) ?? text(thrown)) ?? "a value that can't be shown";
}

/** How much of thrown data is shown, in characters. */
const SHOWN = 200;

/** Data that was thrown, as JSON; undefined for what has a text of its own. */
function dataOf(thrown: unknown): string | undefined {
  if (isErrorObject(thrown) || String(thrown) !== "[object Object]") return undefined;
  const json = readOf(() => JSON.stringify(thrown));
  if (json === undefined) return undefined;
  return json.length <= SHOWN ? json : `${json.slice(0, SHOWN)}…`;
}

/** The name of an error; `Error` where it has none that can be read. */
export const nameOf = (error: unknown): string =>
  readOf(() => text((error as { name?: unknown }).name)) ?? "Error";

/** Throws for what isn't text and can't become any. */
function text(value: unknown): string {
  if (value === undefined) throw new TypeError("there is no text");
  return String(value);
}
