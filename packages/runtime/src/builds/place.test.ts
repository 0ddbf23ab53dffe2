import { expect, test } from "vitest";
import { placeOfSite } from "./place.js";

const build = { mapSite: (site: string) => (site === "2:1" ? "agent/tools/a.ts:7:9" : undefined) };

test("a place that stands in the log needs no build", () => {
  expect(placeOfSite("@lib/it's a:1:2.ts:12:9", undefined)).toBe("lib/it's a:1:2.ts:12:9");
  expect(placeOfSite("@agent/tools/b.ts:1:2", build)).toBe("agent/tools/b.ts:1:2");
});

test("a position in the bundle is told by its build, or not at all", () => {
  expect(placeOfSite("2:1", build)).toBe("agent/tools/a.ts:7:9");
  expect(placeOfSite("2:1", undefined)).toBeUndefined();
  expect(placeOfSite("9:9", build)).toBeUndefined();
  expect(placeOfSite("", build)).toBeUndefined();
});
