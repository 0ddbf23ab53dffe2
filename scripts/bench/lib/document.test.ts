import { expect, test } from "vitest";
import { withResults } from "./document.mjs";
import { row } from "./rows.mjs";

const result = {
  name: "steps",
  title: "one after another",
  load: [0.5, 1] as [number, number],
  rows: [row({ work: "a step", unit: "µs", samples: [5] })],
};

test("results replace what stood in their place, and only that", () => {
  const text = "before\n\n<!-- steps -->\nold\n<!-- /steps -->\n\n<!-- other -->\nkept\n<!-- /other -->\n";
  const once = withResults(text, [result]);
  expect(once).toBe(`before

<!-- steps -->

One after another. Load while it ran: 0.5 to 1.

| work   | median | range     | reference | ratio | reach |
| ------ | ------ | --------- | --------- | ----- | ----- |
| a step | 5 µs   | one round |           |       |       |

<!-- /steps -->

<!-- other -->
kept
<!-- /other -->
`);
  expect(withResults(once, [result])).toBe(once);
});

test("a text without the place says what to write", () => {
  expect(() => withResults("nothing", [result])).toThrow("write <!-- steps --> and <!-- /steps -->");
});
