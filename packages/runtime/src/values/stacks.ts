/** The texts of an error as they are carried: a build's own way to tell them. */
export interface ErrorTexts {
  /** A stack, or the frames of one, whose lines name the author's files. */
  mapStack(stack: string): string;
  /** A message that names no folder of this machine. */
  withoutFolders(text: string): string;
}

/** What V8 puts in front of the frames. */
export function titleOf({ name, message }: { name: string; message: string }): string {
  if (name === "") return message;
  return message === "" ? name : `${name}: ${message}`;
}

/**
 * The stack of an error with mapped frames. It begins with the title as it is told: V8 puts the place and the source line
 * of a syntax error there, and lines of a message may look like frames.
 *
 * @param thrown name and message as they were when the error was made
 */
export function mapStack(
  stack: string,
  thrown: { name: string; message: string },
  { mapStack: map, withoutFolders }: ErrorTexts,
): string {
  const title = titleOf(thrown);
  const first = stack.startsWith(title) ? title.length : stack.search(/^[ \t]+at /m);
  // Somebody has put a text of their own there.
  if (first === -1) return withoutFolders(map(stack));
  const frames = map(stack.slice(first)).trimEnd();
  return withoutFolders(title) + (frames === "" || frames.startsWith("\n") ? frames : `\n${frames}`);
}

interface FlatError {
  name?: unknown;
  message?: unknown;
  stack?: unknown;
}

/**
 * Tells the errors in an encoded value as a build tells them, without reviving anything: classes of the app needn't be
 * there. In devalue's form a value is a list, in which `["Error", n]` says that item n has the parts of an error, and
 * each part is the number of an item.
 */
export function tellErrors(text: string, texts: ErrorTexts): string {
  const flat: unknown = JSON.parse(text);
  if (!Array.isArray(flat)) return text;
  const items = flat as unknown[];
  const textAt = (index: unknown) => {
    const item = typeof index === "number" ? items[index] : undefined;
    return typeof item === "string" ? item : undefined;
  };
  for (const item of items) {
    if (!Array.isArray(item) || item[0] !== "Error" || typeof item[1] !== "number") continue;
    const error = items[item[1]] as FlatError | undefined;
    if (typeof error !== "object") continue;
    const [name = "Error", message = "", stack] = [error.name, error.message, error.stack].map(textAt);
    // Items may be shared: what is changed gets one of its own.
    if (stack !== undefined) error.stack = items.push(mapStack(stack, { name, message }, texts)) - 1;
    error.message = items.push(texts.withoutFolders(message)) - 1;
  }
  return JSON.stringify(items);
}
