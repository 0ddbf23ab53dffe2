import { expect, test } from "vitest";
import { nextAttemptAt } from "./retry.js";

test("the pause doubles with each attempt, and is a day at most", () => {
  const pauses = [1, 2, 3, 4, 60, 2_000].map(
    (attempt) => nextAttemptAt(attempt, 1_000, { fatal: false }) - 1_000,
  );
  const [first = 0] = pauses;
  expect(pauses).toEqual([first, first * 2, first * 4, first * 8, 86_400_000, 86_400_000]);
});

test("a time that the error names counts, unless it is over", () => {
  expect(nextAttemptAt(1, 1_000, { fatal: false, retryAfter: 5_000 })).toBe(5_000);
  expect(nextAttemptAt(1, 1_000, { fatal: false, retryAfter: 10 })).toBe(1_000);
});
