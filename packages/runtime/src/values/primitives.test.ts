import { stringify } from "devalue";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createHostCodec } from "./index.js";
import { encodePrimitives } from "./primitives.js";

const item = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("<", "\u2028", '"', "\\", "\ud800", "", "a"),
  fc.double(),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom<unknown>(null, undefined, true, false, -0, Number.NaN, 1n),
);

test("the short cut gives what devalue gives, or nothing", () => {
  let taken = 0;
  fc.assert(
    fc.property(fc.array(item, { maxLength: 18 }), (list) => {
      const short = encodePrimitives(list);
      if (short === undefined) return;
      taken += 1;
      expect(short).toBe(stringify(list));
    }),
    { numRuns: 2000 },
  );
  expect(taken).toBeGreaterThan(100);
  // oxlint-disable-next-line no-sparse-arrays
  for (const value of [[, 1], [[]], "text", [{}], [() => 1]]) expect(encodePrimitives(value)).toBeUndefined();
  expect(encodePrimitives([])).toBe(stringify([]));
});

test("single primitives are read as devalue reads them", () => {
  const codec = createHostCodec();
  for (const value of [
    "text",
    0,
    -1.5,
    true,
    false,
    null,
    undefined,
    Number.NaN,
    -0,
    Number.NEGATIVE_INFINITY,
    5n,
  ]) {
    expect(codec.decode(stringify(value))).toEqual(value);
  }
});
