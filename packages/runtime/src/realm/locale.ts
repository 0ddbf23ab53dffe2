/** The fixed locale and time zone of bodies, and the methods of the language that would use the machine's. */

export const LOCALE = "en-US";

export type Method = (this: unknown, ...args: unknown[]) => unknown;

/** Defines as the language defines its own: not enumerable. */
export function hidden(target: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: false });
}

/** Replaces a property of the language's own. (Assigning keeps its attributes, and costs less than defining.) */
export function replaced(target: object, name: string, value: unknown): void {
  (target as Record<string, unknown>)[name] = value;
}

/** Options of a date format, in UTC unless they name a zone. */
export function withZone(options: unknown): Record<string, unknown> {
  const given = (typeof options === "object" && options !== null ? options : {}) as Record<string, unknown>;
  return given.timeZone === undefined ? { ...given, timeZone: "UTC" } : given;
}

/** The methods that take a locale, with the position of the locale among their arguments. */
const LOCALE_METHODS: [target: object, name: string, position: number][] = [
  [String.prototype, "localeCompare", 1],
  [String.prototype, "toLocaleUpperCase", 0],
  [String.prototype, "toLocaleLowerCase", 0],
  [Number.prototype, "toLocaleString", 0],
  [BigInt.prototype, "toLocaleString", 0],
  [Date.prototype, "toLocaleString", 0],
  [Date.prototype, "toLocaleDateString", 0],
  [Date.prototype, "toLocaleTimeString", 0],
];

/**
 * Makes a method of the language use the fixed locale where none is given.
 *
 * @param position of the locale among its arguments
 * @param zoned it takes options with a time zone next
 */
export function fixLocale(target: object, name: string, position: number, zoned: boolean): void {
  const real = (target as Record<string, Method>)[name] as Method;
  const method: Method = function (...args) {
    while (args.length <= position) args.push(undefined);
    args[position] ??= LOCALE;
    if (zoned) args[1] = withZone(args[1]);
    return real.apply(this, args);
  };
  hidden(method, "name", name);
  replaced(target, name, method);
}

export function installLocale(): void {
  for (const [target, name, position] of LOCALE_METHODS)
    fixLocale(target, name, position, target === Date.prototype);
}
