import { expect, it } from "vitest";
import { presentIds } from "./aliases.js";

const place = { file: "f", line: 1, column: 1, name: "n" };
const manifest = {
  workflows: { "workflow//./agent/tools/ship//execute": place },
  steps: {
    "step//./agent/tools/ship//send": place,
    "step//@shop/kit/fine@2.0.0//cut": place,
    "step//./lib/a@b//x": place,
  },
  aliases: {
    "workflow//./agent/tools/deploy//execute": "workflow//./agent/tools/ship//execute",
    "step//kit//old": "step//@shop/kit/fine//cut",
  },
};

it.each([
  ["workflow//./agent/tools/ship//execute", "workflow//./agent/tools/ship//execute"],
  ["workflow//./agent/tools/deploy//execute", "workflow//./agent/tools/ship//execute"],
  ["step//@shop/kit/fine@1.4.0//cut", "step//@shop/kit/fine@2.0.0//cut"],
  ["step//kit@0.9.0//old", "step//@shop/kit/fine@2.0.0//cut"],
  ["step//./lib/a//x", "step//./lib/a//x"],
  ["step//./gone//y", "step//./gone//y"],
])("%s is %s now", (id, expected) => {
  expect(presentIds(manifest)(id)).toBe(expected);
});
