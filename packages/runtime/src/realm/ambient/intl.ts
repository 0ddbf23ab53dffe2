/** `Intl` with fixed defaults: en-US, UTC, and the body's clock for "now". */
import { hidden, LOCALE, withZone, type Method } from "../locale.js";
import { run } from "../state.js";

/** A constructor of Intl that takes the fixed locale when it is given none. */
function fixed(Real: new (locale: unknown, options: unknown) => object, zoned: boolean): object {
  function Fixed(this: unknown, locale?: unknown, options?: unknown): object {
    const args: [unknown, unknown] = [locale ?? LOCALE, zoned ? withZone(options) : options];
    return new.target ? Reflect.construct(Real, args, new.target) : new Real(...args);
  }
  hidden(Fixed, "name", Real.name);
  Object.defineProperty(Fixed, "prototype", { value: Real.prototype, writable: false });
  hidden(Real.prototype as object, "constructor", Fixed);
  const { supportedLocalesOf } = Real as { supportedLocalesOf?: unknown };
  if (supportedLocalesOf) hidden(Fixed, "supportedLocalesOf", supportedLocalesOf);
  return Fixed;
}

/** Formatting without a date means now. */
function useClock(prototype: object): void {
  const { formatToParts } = prototype as { formatToParts: Method };
  hidden(prototype, "formatToParts", function (this: unknown, date: unknown = run.now) {
    return formatToParts.call(this, date);
  });
  const format = Object.getOwnPropertyDescriptor(prototype, "format")?.get;
  Object.defineProperty(prototype, "format", {
    get(this: unknown) {
      const bound = format?.call(this) as (date: unknown) => string;
      return (date: unknown = run.now) => bound(date);
    },
    configurable: true,
  });
}

/** Gives Intl its fixed defaults. */
export function fixedIntl(real: typeof Intl): typeof Intl {
  const constructors = real as unknown as Record<string, new (locale: unknown, options: unknown) => object>;
  for (const name of Object.getOwnPropertyNames(real)) {
    const Real = constructors[name];
    // `Intl.Locale` has no default to fix.
    if (typeof Real !== "function" || !/^[A-Z]/.test(name) || name === "Locale") continue;
    if (name === "DateTimeFormat") useClock(Real.prototype as object);
    hidden(real, name, fixed(Real, name === "DateTimeFormat"));
  }
  return real;
}
