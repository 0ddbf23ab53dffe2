/** `ctx.ask`: a question for a person. It is checked here, where the author's call is on the stack. */
import { events } from "./lazy.js";
import { signalId } from "./signals.js";
import { fitting } from "./limits.js";
import { callSite } from "./stack.js";
import { emit, nextKey, settled } from "./state.js";
import { codec } from "./values.js";

const DISPLAYS = ["confirmation", "select", "text"];
const STYLES = ["primary", "danger", "default"];

type Fields = Record<string, unknown>;

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function onlyKeys(value: Fields, known: readonly string[], what: string): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    if (key === "dismissible") {
      throw new TypeError(
        '`dismissible` was removed from ctx.ask(): a question is withdrawn as "cancelled" by itself. Drop the option; ask from a `task` to keep a question open.',
      );
    }
    throw new TypeError(`${what} has no ${JSON.stringify(key)}; it takes ${known.join(", ")}.`);
  }
}

function text(value: unknown, what: string): string {
  if (typeof value === "string" && value.trim() !== "") return value;
  throw new TypeError(`${what} has to be a text that isn't empty.`);
}

function oneOf(value: unknown, allowed: readonly string[], what: string): string {
  if (typeof value === "string" && allowed.includes(value)) return value;
  throw new TypeError(`${what} is one of ${allowed.map((one) => JSON.stringify(one)).join(", ")}.`);
}

function option(value: unknown, n: number): Fields {
  const what = `ctx.ask() options[${n}]`;
  if (!isRecord(value)) throw new TypeError(`${what} is an object with an id and a label.`);
  onlyKeys(value, ["id", "label", "description", "style"], what);
  const { description, style } = value;
  if (description !== undefined && typeof description !== "string") {
    throw new TypeError(`${what}.description is a text.`);
  }
  return {
    id: text(value.id, `${what}.id`),
    label: text(value.label, `${what}.label`),
    ...(description === undefined ? {} : { description }),
    ...(style === undefined ? {} : { style: oneOf(style, STYLES, `${what}.style`) }),
  };
}

/** The request as plain data with its fields in a fixed order. @throws TypeError saying what is wrong with it. */
function checkedRequest(request: unknown): Fields {
  if (!isRecord(request)) throw new TypeError("ctx.ask() takes an object with a prompt.");
  onlyKeys(request, ["prompt", "display", "options", "allowFreeform"], "ctx.ask()");
  const { display, options, allowFreeform } = request;
  const prompt = text(request.prompt, "ctx.ask() prompt");
  if (options !== undefined && !Array.isArray(options)) throw new TypeError("ctx.ask() options is a list.");
  if (allowFreeform !== undefined && typeof allowFreeform !== "boolean") {
    throw new TypeError("ctx.ask() allowFreeform is true or false.");
  }
  const list = options?.map(option);
  const ids = list?.map(({ id }) => id) ?? [];
  const twice = ids.find((id, n) => ids.indexOf(id) !== n);
  if (twice !== undefined)
    throw new TypeError(`ctx.ask() has two options with the id ${JSON.stringify(twice)}.`);
  if (display === "select" && ids.length === 0)
    throw new TypeError('ctx.ask() display "select" needs options.');
  return {
    prompt,
    ...(display === undefined ? {} : { display: oneOf(display, DISPLAYS, "ctx.ask() display") }),
    ...(list === undefined ? {} : { options: list }),
    ...(allowFreeform === undefined ? {} : { allowFreeform }),
  };
}

/** Questions without an answer yet, by key. */
const open = new Set<string>();

/** Asks for the withdrawal of all open questions; each then resolves as the session decides. */
export function withdrawQuestions(): void {
  for (const key of open) emit({ op: "ask-withdraw", key });
  open.clear();
}

/** @param own id of the call's signal, whose abort withdraws the question too; `call` names the call served. */
export async function ask(request: unknown, options: unknown, own: string, call?: string): Promise<unknown> {
  const checked = fitting(JSON.stringify(checkedRequest(request)), "A question");
  const signals = [own];
  if (options !== undefined) {
    if (!isRecord(options)) throw new TypeError("The second argument of ctx.ask() is { signal }.");
    onlyKeys(options, ["signal"], "The second argument of ctx.ask()");
    const { signal } = options;
    if (signal !== undefined) {
      const abort = events.loaded();
      if (!abort || !(signal instanceof abort.AbortSignal)) {
        throw new TypeError("ctx.ask() signal is an AbortSignal.");
      }
      signals.push(signalId(signal));
    }
  }
  const key = nextKey("ask");
  open.add(key);
  const site = callSite();
  const result = await settled({
    op: "ask",
    key,
    request: checked,
    signals: [...new Set(signals)],
    site,
    ...(call === undefined ? {} : { call }),
  });
  open.delete(key);
  const value = codec.decode(result.text);
  if (!result.ok) throw value;
  return value;
}
