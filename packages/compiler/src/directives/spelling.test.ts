import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { editDistance, mayHoldDirective, readSpelling } from "./spelling.js";

describe("readSpelling", () => {
  test.each(["use step", "use workflow"])("%s is exact", (raw) => {
    expect(readSpelling(raw)).toEqual({ kind: raw === "use step" ? "step" : "workflow", exact: true });
  });

  test.each([
    ["use-step", "step"],
    ["use steps", "step"],
    ["Use Step", "step"],
    ["USE_STEP", "step"],
    ["use  step", "step"],
    [" use step", "step"],
    ["use step;", "step"],
    ["use stpe", "step"],
    ["usestep", "step"],
    ["us step", "step"],
    ["use\tstep", "step"],
    ["\\x75se step", "step"],
    ["use \\u{73}tep", "step"],
    ["u\\163e step", "step"],
    ["use \\\nstep", "step"],
    ["use workflows", "workflow"],
    ["use work-flow", "workflow"],
    ["use worfklow", "workflow"],
    ["use: workflow", "workflow"],
    ["Use Workflow!", "workflow"],
  ])("%j is near %s", (raw, kind) => {
    expect(readSpelling(raw)).toEqual({ kind, exact: false });
  });

  test.each([
    "use strict",
    "use client",
    "use server",
    "use cache",
    "use cache: remote",
    "use memo",
    "use no memo",
    "use asm",
    "use gpu",
    "use worker",
    "ngInject",
    "use the step",
    "next step",
    "workflow",
    "step",
    "",
    "use 'step'",
    "a long text about how to use a step of a workflow",
  ])("%j is data", (raw) => {
    expect(readSpelling(raw)).toBeUndefined();
  });
});

describe("editDistance", () => {
  test("counts insertions, deletions and substitutions up to the limit", () => {
    expect(editDistance("usestep", "usestep", 3)).toBe(0);
    expect(editDistance("usesteps", "usestep", 3)).toBe(1);
    expect(editDistance("uzestap", "usestep", 3)).toBe(2);
    expect(editDistance("usestrict", "usestep", 3)).toBe(3);
    expect(editDistance("", "usestep", 3)).toBe(3);
  });
});

describe("mayHoldDirective", () => {
  test("errs to the safe side", () => {
    expect(mayHoldDirective("// how to use a step\nconst a = `use strict`;")).toBe(false);
    expect(mayHoldDirective("const a = 'use' + 'step';")).toBe(false);
    expect(mayHoldDirective("// use step\n")).toBe(true);
    expect(mayHoldDirective('async function f() { "uze stap"; }')).toBe(true);
    expect(mayHoldDirective('async function f() { "\\x75se step"; }')).toBe(true);
  });

  test("no string that analysis would read gets past it", () => {
    const letters = fc.constantFrom(..."use stpworklf-_\\x75 US".split(""), "'", '"');
    const raw = fc.oneof(
      fc.array(letters, { maxLength: 16 }).map((list) => list.join("")),
      fc
        .tuple(fc.constantFrom("use step", "use workflow"), fc.nat(14), letters)
        .map(([text, at, letter]) => text.slice(0, at) + letter + text.slice(at + 1)),
    );
    fc.assert(
      fc.property(raw, fc.constantFrom('"', "'", "`"), fc.string(), (text, quote, around) => {
        fc.pre(!text.includes(quote));
        if (readSpelling(text) !== undefined) {
          expect(mayHoldDirective(`${around}\n${quote}${text}${quote};\n${around}`)).toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
