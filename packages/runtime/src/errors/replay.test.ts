import { expect, test } from "vitest";
import { ReplayDivergenceError } from "./replay.js";

const details = {
  runId: "r",
  difference: "The arguments differ",
  now: { what: "step s (call 1)", at: "agent/tools/t.ts:3:9" },
  recorded: { what: "step s (call 1)", at: "agent/tools/t.ts:2:9" },
};

test("a divergence names both places, and both versions of Node when they differ", () => {
  const { message } = new ReplayDivergenceError({ ...details, nodeMajor: { recorded: 20, now: 26 } });
  expect(message.split("\n").slice(1)).toEqual([
    "  recorded: step s (call 1) at agent/tools/t.ts:2:9",
    "  now:      step s (call 1) at agent/tools/t.ts:3:9",
    "  (recorded on Node 20, replayed on Node 26)",
  ]);
  const same = new ReplayDivergenceError({ ...details, nodeMajor: { recorded: 20, now: 20 } });
  expect(same.message).not.toContain("Node");
});
