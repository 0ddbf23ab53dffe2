import { describe, expect, test } from "vitest";
import { evaluate, start, STEP_A, T0 } from "../replay/testing/bodies.js";

const iso = new Date(T0).toISOString();

describe("the body's clock", () => {
  test("shows the time of the last delivery, however it is read", () => {
    const body = start(`async function main() {
      const read = () => [Date.now(), new Date().getTime(), Date(), new Date(0).constructor.now(), Reflect.construct(Date, []).getTime(), new (class extends Date {})().getTime(), performance.now(), new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", dateStyle: "short" }).format()];
      const first = read();
      await a();
      return [first, read()];
    }`);
    body.pump({ type: "resolve", key: `${STEP_A}#0`, value: "-1", at: T0 + 61_000 });
    expect(body.output()).toEqual([
      [
        T0,
        T0,
        "Wed Jan 02 2030 03:04:05 GMT+0000 (Coordinated Universal Time)",
        T0,
        T0,
        T0,
        0,
        "02/01/2030, 03:04:05",
      ],
      [
        T0 + 61_000,
        T0 + 61_000,
        "Wed Jan 02 2030 03:05:06 GMT+0000 (Coordinated Universal Time)",
        T0 + 61_000,
        T0 + 61_000,
        T0 + 61_000,
        61_000,
        "02/01/2030, 03:05:06",
      ],
    ]);
  });

  test("never goes back", () => {
    const body = start("async function main() { await a(); return Date.now(); }");
    body.pump({ type: "resolve", key: `${STEP_A}#0`, value: "-1", at: T0 - 5_000 });
    expect(body.output()).toBe(T0);
  });

  test("is in UTC and en-US, whatever the machine says", () => {
    const code = `
      const d = new Date(2030, 0, 2, 3, 4, 5);
      const local = new Date("2030-01-02T03:04:05");
      d.setHours(d.getHours());
      return [d.toISOString(), local.toISOString(), Date.parse("Jan 2, 2030 03:04:05"), Date.parse("2030-01-02T03:04:05+02:00"), Date.parse("2030-01-02"), Date.parse("Wed, 02 Jan 2030 03:04:05 GMT"), Number.isNaN(Date.parse("never")),
        d.getTimezoneOffset(), d.toString(), d.toDateString(), d.toTimeString(), String(new Date(NaN)), d.toLocaleString(), d.toLocaleDateString(), d.toLocaleDateString("de-DE"), d.toLocaleTimeString("en-US", { timeZone: "Asia/Tokyo" }),
        (1234.5).toLocaleString(), "a".localeCompare("B"), "I".toLocaleLowerCase(), Intl.DateTimeFormat().resolvedOptions().timeZone, new Intl.NumberFormat().resolvedOptions().locale, new Date(new Date(5)).getTime(), new Date(5n.toString() * 1).getTime(), new Date("x").getTime(), new Date(2030, 0).getTime(), d instanceof Date, Date.length, Date.name, new Date(1e3).toJSON()];`;
    const before = process.env.TZ;
    const results = ["America/St_Johns", "Asia/Kolkata"].map((zone) => {
      process.env.TZ = zone;
      return evaluate(code);
    });
    process.env.TZ = before ?? "";
    if (before === undefined) delete process.env.TZ;
    expect(results[0]).toEqual(results[1]);
    expect(results[0]).toEqual([
      iso,
      iso,
      T0,
      T0 - 7_200_000,
      Date.UTC(2030, 0, 2),
      T0,
      true,
      0,
      "Wed Jan 02 2030 03:04:05 GMT+0000 (Coordinated Universal Time)",
      "Wed Jan 02 2030",
      "03:04:05 GMT+0000 (Coordinated Universal Time)",
      "Invalid Date",
      "1/2/2030, 3:04:05 AM",
      "1/2/2030",
      "2.1.2030",
      "12:04:05 PM",
      "1,234.5",
      -1,
      "i",
      "UTC",
      "en-US",
      5,
      5,
      Number.NaN,
      Date.UTC(2030, 0),
      true,
      7,
      "Date",
      "1970-01-01T00:00:01.000Z",
    ]);
  });

  test("reads dates as a machine in UTC does", () => {
    const texts = [
      "2030",
      "2030-01",
      "2030-01-02",
      "2030-01-02T03:04",
      "2030-01-02T03:04:05.678",
      "2030-01-02 03:04:05",
      "2030-01-02T03:04Z",
      "2030-01-02T03:04:05+02:00",
      "2030-01-02T03:04:05-0130",
      "+002030-01-02T00:00",
      "01-02-2030",
      "1/2/2030",
      "1/2/2030 3:04 PM",
      "Jan 2, 2030",
      "2 January 2030 03:04:05",
      "2030/01/02",
      "Wed, 02 Jan 2030 03:04:05 GMT",
      "Jan 2 2030 03:04 EST",
      "Jan 2 2030 03:04 PDT",
      "Jan 2 2030 03:04 UTC",
      "Wed Jan 02 2030 03:04:05 GMT+0200 (Central European Summer Time)",
      "2030-01-02T03:04:05 (note)",
      "",
      "never",
      "2030-13-01",
      "2030-01-02T25:00",
      "12",
      "2030-01-02T03:04:05z",
    ];
    const zone = process.env.TZ;
    process.env.TZ = "UTC";
    const expected = texts.map((text) => Date.parse(text));
    process.env.TZ = "Asia/Kolkata";
    const found = evaluate("return args.map((text) => [Date.parse(text), new Date(text).getTime()]);", {
      args: texts,
    });
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
    expect(found).toEqual(expected.map((time) => [time, time]));
  });

  test("and locale are Temporal's, on every machine", () => {
    const result = evaluate(
      `if (typeof Temporal === "undefined") return "absent";
      const moment = Temporal.Instant.fromEpochMilliseconds(0);
      return [moment, moment.toZonedDateTimeISO("Asia/Tokyo"), Temporal.PlainDate.from("2020-01-02"), Temporal.PlainTime.from("13:00"), Temporal.Duration.from({ hours: 1, days: 2 })].map((value) => value.toLocaleString()).concat(moment.toLocaleString("de", { timeZone: "Asia/Tokyo" })).map((text) => text.replaceAll("\\u202f", " "));`,
    );
    const present = [
      "1/1/1970, 12:00:00 AM",
      "1/1/1970, 9:00:00 AM GMT+9",
      "1/2/2020",
      "1:00:00 PM",
      "2 days, 1 hr",
      "1.1.1970, 09:00:00",
    ];
    expect(result).toEqual("Temporal" in globalThis ? present : "absent");
  });

  test("is Temporal's too, where the language has it", () => {
    const result = evaluate(
      `return typeof Temporal === "undefined" ? "absent" : [Temporal.Now.instant().epochMilliseconds, Temporal.Now.plainDateISO().toString(), Temporal.Now.timeZoneId(), Temporal.Now.zonedDateTimeISO("Asia/Tokyo").toString(), Temporal.Now.plainTimeISO().toString(), Temporal.Now.plainDateTimeISO().toString()];`,
    );
    const present = [
      T0,
      "2030-01-02",
      "UTC",
      "2030-01-02T12:04:05+09:00[Asia/Tokyo]",
      "03:04:05",
      "2030-01-02T03:04:05",
    ];
    expect(result).toEqual("Temporal" in globalThis ? present : "absent");
  });
});

describe("randomness", () => {
  const code = `const bytes = crypto.getRandomValues(new Uint16Array(3)); return [Math.random(), Math.random(), crypto.randomUUID(), [...bytes]];`;

  test("is drawn from the seed", () => {
    const [first, again, other] = [{}, {}, { seed: "f".repeat(32) }].map((options) =>
      evaluate(code, options),
    ) as [[number, number, string, number[]], unknown, unknown];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
    expect(first[0]).not.toBe(first[1]);
    expect(first[0]).toBeGreaterThanOrEqual(0);
    expect(first[0]).toBeLessThan(1);
    expect(first[2]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("is spread evenly", () => {
    const counts = evaluate(
      "const n = Array(10).fill(0); for (let i = 0; i < 20000; i++) n[Math.floor(Math.random() * 10)]++; return n;",
    ) as number[];
    for (const count of counts) expect(Math.abs(count - 2000)).toBeLessThan(200);
  });

  test("is refused where the standard refuses it", () => {
    expect(
      evaluate(
        `return [new Float32Array(1), new DataView(new ArrayBuffer(1)), new Uint8Array(65537)].map((view) => { try { crypto.getRandomValues(view); } catch (e) { return e.name; } });`,
      ),
    ).toEqual(["TypeMismatchError", "TypeMismatchError", "QuotaExceededError"]);
  });
});
