/**
 * The body's clock stands at the time of the last delivered entry, and its time zone and locale are UTC and
 * en-US on every machine: a replay on another host, or in another season, computes the same.
 */
import { defineLazyGlobal } from "./lazy.js";
import { fixLocale, hidden, installLocale, replaced } from "./locale.js";
import { run, start } from "./state.js";

const RealDate = Date;

/** Texts without a zone are local time to `Date`; appending one makes them UTC. */
const HAS_ZONE = /(?:Z|UTC?|GMT|[ECMP][SD]T|:\d{2}.*[+-]\d{2}:?\d{2})\s*(?:\([^)]*\))?\s*$/i;
const DATE_ONLY = /^\s*[+-]?\d{4,6}(?:-\d{2}){0,2}\s*$/;

function parse(text: string): number {
  if (HAS_ZONE.test(text) || DATE_ONLY.test(text)) return RealDate.parse(text);
  const zoned = RealDate.parse(/T[\d:.]+\s*$/.test(text) ? `${text.trim()}Z` : `${text} UTC`);
  return Number.isNaN(zoned) ? RealDate.parse(text) : zoned;
}

function timeOf(args: readonly unknown[]): number {
  if (args.length === 0) return run.now;
  if (args.length > 1) {
    const [year, ...rest] = args.map(Number) as [number, ...number[]];
    return RealDate.UTC(year, ...(rest as [number]));
  }
  const [value] = args;
  if (value instanceof RealDate) return value.getTime();
  const primitive: unknown = typeof value === "object" && value !== null ? toPrimitive(value) : value;
  return typeof primitive === "string" ? parse(primitive) : Number(primitive);
}

function toPrimitive(value: object): unknown {
  const convert = (value as { [Symbol.toPrimitive]?: (hint: string) => unknown })[Symbol.toPrimitive];
  if (typeof convert === "function") return convert.call(value, "default");
  const plain: unknown = value.valueOf();
  return typeof plain === "object" ? String(value) : plain;
}

function installDate(): void {
  function ReplayDate(this: unknown, ...args: unknown[]): unknown {
    if (!new.target) return new RealDate(run.now).toString();
    return Reflect.construct(RealDate, [timeOf(args)], new.target);
  }
  const prototype = RealDate.prototype;
  Object.defineProperty(ReplayDate, "name", { value: "Date" });
  Object.defineProperty(ReplayDate, "length", { value: 7 });
  Object.defineProperty(ReplayDate, "prototype", { value: prototype, writable: false });
  const methods = { now: () => run.now, parse: (text: unknown) => parse(String(text)), UTC: RealDate.UTC };
  for (const [name, value] of Object.entries(methods)) hidden(ReplayDate, name, value);
  // Otherwise `new Date(0).constructor.now()` would tell the real time.
  replaced(prototype, "constructor", ReplayDate);
  replaced(globalThis, "Date", ReplayDate);
  useUtc(prototype);
}

/** Local time is UTC: each local method becomes its UTC counterpart. */
function useUtc(prototype: Date): void {
  const methods = prototype as unknown as Record<string, (...args: never[]) => unknown>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const local = /^([gs]et)UTC(\w+)$/.exec(name);
    if (local) replaced(prototype, `${local[1]}${local[2]}`, methods[name]);
  }
  const parts = (date: Date) => /^(\w+), (\d+) (\w+) (-?\d+) ([\d:]+) GMT$/.exec(date.toUTCString());
  const day = (date: Date) => {
    const [, weekday, day, month, year] = parts(date) ?? [];
    return `${weekday} ${month} ${day} ${year}`;
  };
  const time = (date: Date) => `${parts(date)?.[5]} GMT+0000 (Coordinated Universal Time)`;
  const valid = (date: Date) => !Number.isNaN(date.getTime());
  const texts: Record<string, () => unknown> & ThisType<Date> = {
    getTimezoneOffset() {
      return valid(this) ? 0 : Number.NaN;
    },
    getYear() {
      return this.getUTCFullYear() - 1900;
    },
    toString() {
      return valid(this) ? `${day(this)} ${time(this)}` : "Invalid Date";
    },
    toDateString() {
      return valid(this) ? day(this) : "Invalid Date";
    },
    toTimeString() {
      return valid(this) ? time(this) : "Invalid Date";
    },
  };
  for (const [name, value] of Object.entries(texts)) replaced(prototype, name, value);
}

interface TemporalLike extends Record<string, unknown> {
  Instant: {
    fromEpochMilliseconds(ms: number): { toZonedDateTimeISO(zone: unknown): Record<string, () => unknown> };
  };
  Now: object;
}

/** Reading `Temporal` alone costs a context 45 KB, so this is left to bundles that name it. */
export function installTemporal(): void {
  const temporal = (globalThis as { Temporal?: TemporalLike }).Temporal;
  if (!temporal) return;
  const instant = () => temporal.Instant.fromEpochMilliseconds(Math.floor(run.now));
  const zoned = (zone: unknown = "UTC") => instant().toZonedDateTimeISO(zone);
  const now = {
    timeZoneId: () => "UTC",
    instant,
    zonedDateTimeISO: zoned,
    plainDateTimeISO: (zone?: unknown) => zoned(zone).toPlainDateTime?.(),
    plainDateISO: (zone?: unknown) => zoned(zone).toPlainDate?.(),
    plainTimeISO: (zone?: unknown) => zoned(zone).toPlainTime?.(),
  };
  for (const [name, value] of Object.entries(now)) hidden(temporal.Now, name, value);
  for (const name of Object.getOwnPropertyNames(temporal)) {
    const { prototype } = temporal[name] as { prototype?: object };
    // An instant is shown in a zone; everything else has its own, or none.
    if (prototype) fixLocale(prototype, "toLocaleString", 0, name === "Instant");
  }
}

export function installClock(): void {
  installDate();
  installLocale();
  defineLazyGlobal("performance", () => {
    const timeOrigin = start.startedAt;
    return { timeOrigin, now: () => run.now - timeOrigin, toJSON: () => ({ timeOrigin }) };
  });
}
