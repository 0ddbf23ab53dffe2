import { parse, stringify } from "devalue";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createHostCodec } from "./index.js";
import { decodePrimitives, encodePrimitives } from "./primitives.js";

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
    fc.property(fc.oneof(item, fc.array(item, { maxLength: 18 })), (value) => {
      const short = encodePrimitives(value);
      if (short === undefined) return;
      taken += 1;
      expect(short).toBe(stringify(value));
    }),
    { numRuns: 2000 },
  );
  expect(taken).toBeGreaterThan(100);
  // oxlint-disable-next-line no-sparse-arrays
  for (const value of [[, 1], [[]], {}, [{}], [() => 1], undefined, 1n])
    expect(encodePrimitives(value)).toBeUndefined();
  expect(encodePrimitives([])).toBe(stringify([]));
});

test("what the short cut reads is what devalue reads", () => {
  let taken = 0;
  const any = fc.oneof(item, fc.array(fc.oneof(item, item, fc.constant(new Date(0))), { maxLength: 18 }));
  fc.assert(
    fc.property(any, (value) => {
      const text = stringify(value);
      const short = decodePrimitives(JSON.parse(text));
      if (!short) return;
      taken += 1;
      expect(short.value).toEqual(parse(text));
    }),
    { numRuns: 2000 },
  );
  expect(taken).toBeGreaterThan(100);
  // oxlint-disable-next-line no-sparse-arrays
  for (const value of [[, 1], new Date(0), [new Date(0)], new Map(), Number.NaN, [Number.NaN]]) {
    expect(decodePrimitives(JSON.parse(stringify(value)))).toBeUndefined();
  }
});

test("damaged lists are left to devalue", () => {
  for (const text of ["[[5],1]", "[[0],1]", "[[1.5],1]", '[["x"],1]']) {
    expect(decodePrimitives(JSON.parse(text))).toBeUndefined();
  }
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
