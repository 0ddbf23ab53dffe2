/** Readable text of a value, for the console. It runs in this realm: an inspector of the host would hand its own functions to `toString` and getters of the body. */

const MAX_DEPTH = 4;
const MAX_ITEMS = 100;

export function inspect(value: unknown, depth = 0, open: readonly object[] = []): string {
  if (typeof value === "string") return depth === 0 ? value : JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return `[Function: ${value.name || "anonymous"}]`;
  if (Object.is(value, -0)) return "-0";
  if (typeof value !== "object" || value === null) return String(value);
  if (open.includes(value)) return "[Circular]";
  if (value instanceof Error) return value.stack ?? `${value.name}: ${value.message}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString();
  if (value instanceof RegExp) return String(value);
  return inspectObject(value, depth, [...open, value]);
}

function inspectObject(value: object, depth: number, open: readonly object[]): string {
  const prototype = Object.getPrototypeOf(value) as { constructor?: { name?: unknown } } | null;
  const name = prototype === null ? "[Object: null prototype]" : String(prototype.constructor?.name ?? "");
  if (depth > MAX_DEPTH) return Array.isArray(value) ? "[Array]" : `[${name || "Object"}]`;
  const inner = (item: unknown) => inspect(item, depth + 1, open);
  if (Array.isArray(value)) return wrapped("[", value.map(inner), "]");
  if (ArrayBuffer.isView(value) && "length" in value) {
    return `${name}(${String(value.length)}) ${wrapped("[", Array.from(value as unknown as ArrayLike<unknown>, inner), "]")}`;
  }
  if (value instanceof Map) {
    return `Map(${value.size}) ${wrapped(
      "{",
      Array.from(value, ([key, item]) => `${inner(key)} => ${inner(item)}`),
      "}",
    )}`;
  }
  if (value instanceof Set) return `Set(${value.size}) ${wrapped("{", Array.from(value, inner), "}")}`;
  const entries = Object.entries(value).map(
    ([key, item]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${inner(item)}`,
  );
  return `${name === "Object" || name === "" ? "" : `${name} `}${wrapped("{", entries, "}")}`;
}

function wrapped(open: string, items: string[], close: string): string {
  if (items.length === 0) return open + close;
  const shown = items.slice(0, MAX_ITEMS);
  if (items.length > MAX_ITEMS) shown.push(`… ${items.length - MAX_ITEMS} more`);
  const space = open === "{" ? " " : "";
  return `${open}${space}${shown.join(", ")}${space}${close}`;
}

/** The text of a console call: `%s %d %i %f %j %o %O %c` in the first argument, the rest joined by spaces. */
export function format(args: readonly unknown[]): string {
  const [first, ...rest] = args;
  if (typeof first !== "string") return args.map((arg) => inspect(arg)).join(" ");
  const text = first.replace(/%([sdifjoOc%])/g, (all, kind: string) => {
    if (kind === "%") return "%";
    if (rest.length === 0) return all;
    const arg = rest.shift();
    if (kind === "c") return "";
    if (kind === "d") return typeof arg === "bigint" ? `${arg}n` : String(Number(arg));
    if (kind === "i") return String(Number.parseInt(String(arg), 10));
    if (kind === "f") return String(Number.parseFloat(String(arg)));
    if (kind === "j") return JSON.stringify(arg) ?? "undefined";
    return kind === "s" && typeof arg !== "object" ? String(arg) : inspect(arg, 1);
  });
  return [text, ...rest.map((arg) => inspect(arg))].join(" ");
}
