import { expect, test } from "vitest";
import type { LogEntry } from "../log/types.js";
import { testBuild } from "../testing/build.js";
import { replayEntries } from "./replay.js";

// In a file of its own: no step may have run in the process (see `canLimitTime`).
test("a body that never yields is stopped and named", { timeout: 30_000 }, () => {
  const entries: LogEntry[] = [
    {
      seq: 0,
      at: 1,
      event: {
        type: "run-started",
        version: 1,
        workflowId: "w",
        buildId: "b",
        args: "[[]]",
        seed: "00".repeat(16),
        nodeMajor: 20,
        eveVersion: "0",
        depth: 0,
      },
    },
  ];
  const build = testBuild({ workflows: { w: "async () => { for (;;) {} }" } });
  expect(() => replayEntries("run", entries, { build })).toThrow(
    expect.objectContaining({ code: "BODY_TIMEOUT" }),
  );
});
