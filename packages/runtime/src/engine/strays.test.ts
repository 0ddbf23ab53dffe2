import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleChild } from "../testing/bundle-child.js";

let child: string;
beforeAll(async () => (child = await bundleChild("stray-child.ts")));
afterAll(() => rmSync(child, { force: true }));

/** What the engine was told, in order, and how the process ended. */
function run(...args: string[]): { told: [string, unknown][]; status: number | null; stderr: string } {
  const { stdout, stderr, status } = spawnSync(process.execPath, [child, ...args], { encoding: "utf8" });
  const told = stdout
    .split("\n")
    .flatMap((line) => (line === "" ? [] : [JSON.parse(line) as [string, unknown]]));
  return { told, status, stderr };
}

const step = { runId: "run", stepId: "deed", attempt: 1 };

describe("a promise that a step rejects and nobody awaits", () => {
  test("is reported with its step and place, and neither the step nor the process ends", () => {
    const { told, status, stderr } = run("rejects");
    expect(told).toEqual([
      [
        "problem",
        {
          runId: "run",
          step,
          message: expect.stringMatching(
            /^Step deed \(attempt 1\) rejected a promise that nobody awaits: astray \(at .+:\d+:\d+\)\.$/,
          ),
        },
      ],
      ["running", [step]],
      ["result", { status: "completed", output: "went on" }],
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  });

  test("whatever it is rejected with", () => {
    const { told, status } = run("rejectsHostile");
    expect(told).toContainEqual([
      "problem",
      expect.objectContaining({ message: expect.stringContaining("a value that can't be shown") }),
    ]);
    expect(status).toBe(0);
  });

  test("also after the step has returned", () => {
    const { told, status } = run("rejectsLater");
    expect(told).toContainEqual(["problem", expect.objectContaining({ step })]);
    expect(told).toContainEqual(["result", { status: "completed", output: "returned before" }]);
    expect(status).toBe(0);
  });

  test("outside steps a rejection ends the process, as everywhere in Node.js", () => {
    const { told, status, stderr } = run("outside");
    expect(told.filter(([what]) => what === "problem")).toEqual([]);
    expect(stderr).toContain("not of a step");
    expect(status).toBe(1);
  });
});

describe("an exception that a step throws in a timer", () => {
  test("is told to onFatal with its step, which ends the process", () => {
    const { told, status, stderr } = run("throwsInTimer", "fatal");
    expect(told.filter(([what]) => what !== "running")).toEqual([
      [
        "fatal",
        {
          runId: "run",
          step,
          message: expect.stringMatching(
            /^Step deed \(attempt 1\) threw where nobody can catch it: astray \(at /,
          ),
        },
      ],
    ]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: "" });
  });

  test.each(["throwsNext", "throwsNextButOne"])(
    "is the step's also when it has just returned and the exception comes before anything else (%s)",
    (deed) => {
      const { told, status } = run(deed, "fatal");
      expect(told).toEqual([
        ["fatal", expect.objectContaining({ runId: "run", step })],
        ["running", [step]],
      ]);
      expect(status).toBe(2);
    },
  );

  test("ends the process by Node.js without it", () => {
    const { status, stderr } = run("throwsInTimer");
    expect(stderr).toContain("astray");
    expect(status).toBe(1);
  });

  test("is the app's own affair where the app handles such exceptions", () => {
    const { told, status } = run("throwsInTimer", "own");
    expect(told).toContainEqual(["own", "astray"]);
    expect(status).toBe(0);
  });
});

test.each(["exits", "exitsNext"])("a step that exits the process is named (%s)", (deed) => {
  const { told, status } = run(deed);
  expect(told.at(-1)).toEqual(["exit", [step]]);
  expect(status).toBe(3);
});
