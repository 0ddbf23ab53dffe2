import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEntry, LogEvent } from "../../log/types.js";
import { decodeEntries, encodeEntries } from "./entries.js";

const STEP = "step//./agent/tools/count//increment";

describe("the entries of one transaction", () => {
  it("are written without names and repetitions where they are of steps", () => {
    const entries: LogEntry[] = [
      { seq: 7, at: 1000, event: { type: "step-completed", key: `${STEP}#0`, attempt: 1, value: "[1]" } },
      {
        seq: 8,
        at: 1000,
        event: { type: "step-created", key: `${STEP}#1`, stepId: STEP, args: "[[1],1]", site: "12:5" },
      },
      { seq: 9, at: 1001, event: { type: "step-started", key: `${STEP}#1`, attempt: 1 } },
    ];
    const text = encodeEntries(entries);
    expect(JSON.parse(text)).toEqual([
      [1000, "completed", `${STEP}#0`, 1, "[1]"],
      [null, "created", `${STEP}#1`, "[[1],1]", "12:5"],
      [1001, "started", null, 1],
    ]);
    expect(decodeEntries(7, text)).toEqual(entries);
  });

  it("come back as they were, whatever they are", () => {
    const id = fc.constantFrom(STEP, "step//a#b", "", "step//ü\u2028");
    const key = fc.tuple(id, fc.nat(3)).map(([name, n]) => `${name}#${n}`);
    const text = fc.string();
    const event = fc.oneof(
      fc.record({ type: fc.constant("step-created"), key, stepId: id, args: text, site: text }),
      fc.record({ type: fc.constant("step-started"), key, attempt: fc.nat() }),
      fc.record({ type: fc.constant("step-completed"), key, attempt: fc.nat(), value: text }),
      fc.record({ type: fc.constant("step-failed"), key, attempt: fc.nat(), error: text, retryAt: fc.nat() }),
      fc.record({ type: fc.constant("progress"), value: text }),
      fc.record({ type: fc.constant("sleep-created"), key, until: fc.nat(), site: text }),
    ) as fc.Arbitrary<LogEvent>;
    fc.assert(
      fc.property(fc.nat(), fc.array(fc.record({ at: fc.nat(5), event })), (seq, parts) => {
        const entries = parts.map((part, n) => ({ seq: seq + n, ...part }));
        expect(decodeEntries(seq, encodeEntries(entries))).toEqual(entries);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["{", /JSON/],
    ["{}", /isn't a list/],
    ["[1]", /isn't a list/],
    ["[[null,{}]]", /no time/],
    ['[["1",{"type":"progress"}]]', /no time/],
    ["[[1,null]]", /form of an entry/],
    ['[[1,{"type":1}]]', /form of an entry/],
    ['[[1,"started",null,1]]', /no key/],
    ['[[1,"started","a#0","1"]]', /form of one/],
    ['[[1,"created","a#0","[]"]]', /form of one/],
    ['[[1,"ended","a#0",1]]', /form of one/],
  ])("are refused when they are %s", (text, reason) => {
    expect(() => decodeEntries(0, text)).toThrow(reason);
  });
});
