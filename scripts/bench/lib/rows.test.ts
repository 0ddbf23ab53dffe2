import { expect, test } from "vitest";
import { formatTable, row } from "./rows.mjs";
import { interleave, median } from "./stats.mjs";

test("the median is the middle sample, or the mean of the two middle ones", () => {
  expect(median([9, 1, 5])).toBe(5);
  expect(median([4, 1, 2, 100])).toBe(3);
  expect(() => median([])).toThrow(RangeError);
});

test("subjects take turns, forwards and backwards, and the warm-up is dropped", async () => {
  const order: string[] = [];
  const subject = (name: string) => () => order.push(name);
  const samples = await interleave({ a: subject("a"), b: subject("b") }, { rounds: 3, warmUp: true });
  expect(order.join("")).toBe("baabbaab");
  expect(samples).toEqual({ a: [3, 6, 7], b: [4, 5, 8] });
});

const reference = { name: "plain", samples: [4, 4, 4] };

test("a row holds median, range, reference and ratio", () => {
  expect(row({ work: "w", unit: "ms", samples: [3, 2, 7], reference })).toEqual({
    work: "w",
    median: 3,
    unit: "ms",
    range: [2, 7],
    rounds: 3,
    reference: { name: "plain", median: 4 },
    ratio: 0.75,
  });
});

test.each([
  [{ of: "median", atMost: 3 }, true],
  [{ of: "median", atMost: 2.9 }, false],
  [{ of: "ratio", atMost: 0.75 }, true],
  [{ of: "ratio", atMost: 0.7 }, false],
  [{ of: "speedup", atLeast: 1.3 }, true],
  [{ of: "speedup", atLeast: 1.4 }, false],
] as const)("%o is reached: %s", (reach, reached) => {
  expect(row({ work: "w", unit: "ms", samples: [3], reference, reach }).reached).toBe(reached);
});

test("the table says what was reached, and how often a figure was taken", () => {
  const table = formatTable([
    row({
      work: "a step",
      unit: "µs",
      samples: [150, 160, 170],
      reference,
      reach: { of: "ratio", atMost: 50 },
    }),
    row({
      work: "500 steps",
      unit: "ms",
      samples: [0.5],
      reference: { name: "peer", samples: [400] },
      reach: { of: "speedup", atLeast: 900 },
    }),
  ]);
  expect(table).toMatchInlineSnapshot(`
    "| work      | median | range     | reference     | ratio        | reach            |
    | --------- | ------ | --------- | ------------- | ------------ | ---------------- |
    | a step    | 160 µs | 150–170   | 4 µs (plain)  | 40 ×         | ✓ ≤ 50 ×         |
    | 500 steps | 0.5 ms | one round | 400 ms (peer) | 800 × faster | ✗ ≥ 900 × faster |"
  `);
});
