import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replayEntries } from "../inspect/replay.js";
import { deliveryOf } from "../log/delivery.js";
import { runProgram } from "../testing/faults.js";
import { programBuild, type Program } from "../testing/programs.js";

const leaf: fc.Arbitrary<Program> = fc.oneof(
  fc.record({ kind: fc.constant("step" as const), n: fc.nat(50) }),
  fc.record({ kind: fc.constant("flaky" as const), n: fc.nat(50), failures: fc.integer({ min: 1, max: 2 }) }),
  fc.record({ kind: fc.constant("fatal" as const), n: fc.nat(50) }),
  fc.record({ kind: fc.constant("sleep" as const), ms: fc.nat(3_000) }),
  fc.record({ kind: fc.constant("hook" as const) }),
  fc.record({ kind: fc.constant("ask" as const) }),
  fc.record({ kind: fc.constant("deadline" as const), rounds: fc.integer({ min: 1, max: 3 }) }),
);

const { program } = fc.letrec<{ program: Program }>((tie) => {
  const items = fc.array(tie("program"), { minLength: 1, maxLength: 3 });
  return {
    program: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc.record({
        kind: fc.constantFrom("all" as const, "settled" as const, "race" as const, "sequence" as const),
        items,
      }),
      fc.record({
        kind: fc.constant("loop" as const),
        times: fc.integer({ min: 1, max: 3 }),
        item: tie("program"),
      }),
      fc.record({ kind: fc.constant("guarded" as const), item: tie("program"), n: fc.nat(50) }),
    ),
  };
});

/** How many operations a program asks for. */
function weight(one: Program): number {
  if (one.kind === "loop") return one.times * weight(one.item);
  if ("items" in one) return one.items.reduce((sum, item) => sum + weight(item), 0);
  if (one.kind === "guarded") return weight(one.item) + 1;
  return one.kind === "deadline" ? 2 * one.rounds : 1;
}

// Loops of loops of loops say no more than short ones, and take minutes.
const programs = fc
  .array(program, { minLength: 1, maxLength: 3 })
  .filter((list) => list.reduce((sum, one) => sum + weight(one), 0) <= 100);
const calm = { crash: 0, refuse: 0, twice: 0, jump: 0 };

describe("random workflow programs", () => {
  test("end the same live and with an eviction at every wait", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (list) => {
        const hot = await runProgram(list, 7, calm);
        const cold = await runProgram(list, 7, { ...calm, hotRuns: 0 });
        expect(cold.result).toEqual(hot.result);
        expect(cold.log.map((entry) => entry.event)).toEqual(hot.log.map((entry) => entry.event));
      }),
      { numRuns: 120 },
    );
  });

  test("replay identically from every point of their log", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(programs, async (list) => {
        const { log } = await runProgram(list, 11, calm);
        const build = programBuild(list, new Map());
        for (let end = 1; end <= log.length; end += 1) {
          // What follows from a delivery is committed with it: a log can end only before the next one.
          const next = log[end];
          if (next && !deliveryOf(next)) continue;
          expect(replayEntries("run", log.slice(0, end), { build })).toEqual({
            status: "identical",
            runId: "run",
          });
        }
      }),
      { numRuns: 60 },
    );
  });

  test("a changed argument anywhere is found by the replay", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.nat(), async (list, pick) => {
        const { log } = await runProgram(list, 13, calm);
        const created = log.filter(({ event }) => event.type === "step-created");
        fc.pre(created.length > 0);
        const target = created[pick % created.length];
        const changed = log.map((entry) =>
          entry === target && entry.event.type === "step-created"
            ? { ...entry, event: { ...entry.event, args: "[[1],12345]" } }
            : entry,
        );
        const report = replayEntries("run", changed, { build: programBuild(list, new Map()) });
        expect(report.status).toBe("diverged");
      }),
      { numRuns: 60 },
    );
  });
});
