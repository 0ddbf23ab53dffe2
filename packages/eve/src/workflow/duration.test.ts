import fc from "fast-check";
import ms from "ms";
import { expect, it } from "vitest";
import { durationMs } from "./duration.js";

it("agrees with the package ms on its grammar", () => {
  const unit = fc.constantFrom(
    "",
    "ms",
    "msec",
    "s",
    "sec",
    "secs",
    "seconds",
    "m",
    "min",
    "minutes",
    "h",
    "hrs",
    "hours",
    "d",
    "day",
    "days",
    "w",
    "weeks",
    "y",
    "yr",
    "years",
    "H",
    "Days",
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.nat(), fc.constantFrom("1.5", ".5", "0.25")),
      fc.constantFrom("", " "),
      unit,
      (n, gap, name) => {
        const text = `${n}${gap}${name}`;
        expect(durationMs(text)).toBe(ms(text as ms.StringValue));
      },
    ),
  );
});

it.each(["", "soon", "-1s", "1 fortnight", "1s 2s", "s"])("refuses %j", (text) => {
  expect(() => durationMs(text)).toThrow(TypeError);
});

it("takes milliseconds of at least 0", () => {
  expect(durationMs(0)).toBe(0);
  for (const bad of [-1, Number.NaN, Infinity]) expect(() => durationMs(bad)).toThrow(/at least 0/);
});
