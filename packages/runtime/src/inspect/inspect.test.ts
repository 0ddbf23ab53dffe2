import { afterEach, describe, expect, test } from "vitest";
import { testBuild, testBuilds } from "../testing/build.js";
import { openHarness, type Harness } from "../testing/harness.js";
import { exportRun, importRun, parseExportedRun } from "./export.js";
import { listRuns } from "./list.js";
import { replayEntries, replayRun } from "./replay.js";
import { showRun } from "./show.js";

let harness: Harness;
afterEach(() => harness.close());

const BODY = `async function* (input, ctx) {
  yield { status: "planning" };
  const plan = await step("plan")(input.service);
  await sleep("1m");
  const answer = await ctx.ask({ prompt: "Go?", options: [{ id: "yes", label: "Yes" }] });
  return { plan, answer: answer.optionId };
}`;
let failures = 0;
const steps = {
  plan: (service: unknown) => {
    failures += 1;
    if (failures === 1) throw new Error("not yet");
    return `plan for ${String(service)}`;
  },
};
const build = (body = BODY, id = "b1") =>
  testBuild({ id, workflows: { tool: body }, steps, tools: { deploy: { workflowId: "tool" } } });

async function finished(): Promise<string> {
  failures = 0;
  const runId = await harness.engine.startRun({ tool: "deploy", input: { service: "api" } });
  await harness.clock.advance(120_000);
  await harness.engine.answer(runId, `${runId}-ask-0`, { optionId: "yes" });
  await harness.engine.run(runId).result();
  return runId;
}

describe("showing a run", () => {
  test("steps with attempts, waits with answers, progress, result and a readable timeline", async () => {
    harness = await openHarness(testBuilds(build()));
    const runId = await finished();
    const report = await showRun(harness.store, runId);
    expect(report).toMatchObject({
      runId,
      tool: "deploy",
      status: "completed",
      startedAt: "2026-01-01T00:00:00.000Z",
      durationMs: 120_000,
      input: { service: "api" },
      output: { plan: "plan for api", answer: "yes" },
      progress: [{ status: "planning" }],
      steps: [
        {
          id: "plan",
          status: "completed",
          attempts: 2,
          durationMs: 1_000,
          history: [
            { attempt: 1, error: { name: "Error", message: "not yet" } },
            { attempt: 2, startedAt: "2026-01-01T00:00:01.000Z" },
          ],
        },
      ],
      waits: [
        { kind: "sleep", status: "done", until: "2026-01-01T00:01:01.000Z" },
        { kind: "question", status: "done", answer: { status: "answered", optionId: "yes" } },
      ],
    });
    expect(report.timeline.map((entry) => `${entry.offsetMs} ${entry.text}`)).toEqual([
      "0 started tool deploy",
      '0 progress {"status":"planning"}',
      "0 step plan started",
      "0 step plan failed: not yet; next attempt 2026-01-01T00:00:01.000Z",
      "1000 step plan started (attempt 2)",
      "1000 step plan completed",
      "1000 sleep 1 until 2026-01-01T00:01:01.000Z",
      "61000 sleep 1 is over",
      `61000 asks ${runId}-ask-0: Go?`,
      "120000 answered yes",
      "120000 completed",
    ]);
    expect(await listRuns(harness.store)).toEqual([
      expect.objectContaining({ runId, tool: "deploy", durationMs: 120_000 }),
    ]);
  });

  test("an unknown run is an error", async () => {
    harness = await openHarness(testBuilds(build()));
    await expect(showRun(harness.store, "wrun_none")).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
  });
});

describe("exporting and importing", () => {
  test("an exported run replays, and can be looked at in another store", async () => {
    harness = await openHarness(testBuilds(build()));
    const runId = await finished();
    const text = JSON.stringify(await exportRun(harness.store, runId));
    const before = await showRun(harness.store, runId);
    await harness.close();
    harness = await openHarness(testBuilds(build()));
    const exported = parseExportedRun(text);
    expect(replayEntries(runId, exported.entries, { build: build() })).toEqual({
      status: "identical",
      runId,
    });
    await importRun(harness.store, exported);
    expect(await showRun(harness.store, runId)).toEqual(before);
    await expect(importRun(harness.store, exported)).rejects.toMatchObject({ code: "INVALID_EXPORT" });
  });

  test("a run that goes on isn't imported: two stores would continue it", async () => {
    harness = await openHarness(testBuilds(build()));
    const runId = await harness.engine.startRun({ tool: "deploy", input: {} });
    const exported = await exportRun(harness.store, runId);
    await expect(importRun(harness.store, exported)).rejects.toThrow(/hasn't ended/);
  });

  test.each([
    ["no JSON", "{", /isn't JSON/],
    ["something else", '{"a":1}', /format/],
    [
      "a log with a gap",
      (text: string) => text.replace('"seq":1', '"seq":7'),
      /entry 1 of the log is missing/,
    ],
    [
      "an entry of no known type",
      (text: string) => text.replace('"type":"step-started"', '"type":"step-begun"'),
      /entries\[\d+\]\.event\.type: "step-begun" is no entry of this version/,
    ],
    [
      "an entry that lacks a field",
      (text: string) => text.replace(/("type":"step-completed",.*?),"value":"(?:[^"\\]|\\.)*"/, "$1"),
      /entries\[\d+\]\.event\.value: it is missing/,
    ],
    [
      "an entry with a field of another kind",
      (text: string) => text.replace(/"attempt":1/, '"attempt":"first"'),
      /event\.attempt: it isn't a number/,
    ],
    [
      "an entry whose value can't be read",
      (text: string) =>
        text.replace(/("type":"step-created",.*?)"args":"(?:[^"\\]|\\.)*"/, '$1"args":"[[9]]"'),
      /event\.args: it can't be read/,
    ],
    [
      "an end that is none",
      (text: string) =>
        text.replace('"type":"run-ended","status":"completed"', '"type":"run-ended","status":"over"'),
      /event\.status: it is none of completed, failed, cancelled/,
    ],
    [
      "another version",
      (text: string) => text.replace('"format":"eve-run","version":1', '"format":"eve-run","version":99'),
      /version 99/,
    ],
  ])("%s is refused by name", async (_name, change, message) => {
    harness = await openHarness(testBuilds(build()));
    const runId = await finished();
    const text = JSON.stringify(await exportRun(harness.store, runId));
    expect(parseExportedRun(text).run.runId).toBe(runId);
    expect(() => parseExportedRun(typeof change === "string" ? change : change(text))).toThrow(message);
  });
});

test("an exported log names the author's places, since the build isn't there where it is read", async () => {
  const builds = testBuilds({ ...build(), mapSite: (site) => `agent/tools/t.ts:${site.split(" ")[0]}` });
  harness = await openHarness(builds);
  const runId = await finished();
  const sites = async (options?: { builds: typeof builds }) =>
    (await exportRun(harness.store, runId, options)).entries.flatMap(({ event }) =>
      "site" in event ? [event.site] : [],
    );
  expect(await sites()).not.toContainEqual(expect.stringMatching(/^@/));
  // The steps of this build have no compiled function, so their calls have no position.
  const placed = (await sites({ builds })).filter((site) => site !== "");
  expect(placed).toHaveLength(2);
  for (const site of placed) expect(site).toMatch(/^@agent\/tools\/t\.ts:\d+:\d+$/);
});

describe("eve replay", () => {
  test("says identical, diverged with both calls, or missing", async () => {
    const builds = testBuilds(build());
    harness = await openHarness(builds);
    const runId = await finished();
    expect(await replayRun(harness.store, builds, runId)).toEqual({ status: "identical", runId });

    builds.set(build(), build(BODY.replace("input.service", '"other"'), "b2"));
    expect(await replayRun(harness.store, builds, runId)).toMatchObject({
      status: "diverged",
      at: {
        difference: 'The arguments differ: args[0] was "api" and is "other"',
        now: { what: "step plan (call 1)", value: '["other"]' },
        recorded: { what: "step plan (call 1)", value: '["api"]' },
      },
      message:
        `Run ${runId} wouldn't fit the present build: its code no longer does what the log recorded. ` +
        'The arguments differ: args[0] was "api" and is "other".\n' +
        '  recorded: step plan (call 1): ["api"]\n  now:      step plan (call 1): ["other"]',
    });

    builds.set(build(), testBuild({ id: "b3", workflows: { renamed: BODY }, steps }));
    expect(await replayRun(harness.store, builds, runId)).toMatchObject({
      status: "missing",
      workflowId: "tool",
      message: `The present build b3 has no workflow tool, which run ${runId} recorded: it was renamed, moved or removed.`,
    });
  });

  test.each([
    [
      "a step that is gone",
      BODY.replace(`await step("plan")(input.service)`, `"none"`),
      /asks for something else\.\n {2}recorded: step plan \(call 1\).*\n {2}now: {6}sleep/,
    ],
    [
      "a new step before the old one",
      BODY.replace("const plan", `await step("other")(); const plan`),
      /asks for something/,
    ],
    [
      "another progress",
      BODY.replace("planning", "thinking"),
      /It differs in progress.*: \.status was "planning" and is "thinking"/,
    ],
    ["another sleep", BODY.replace('"1m"', '"2m"'), /The sleep ended/],
    [
      "another question",
      BODY.replace("Go?", "Really?"),
      /The question differs: prompt was "Go\?" and is "Really\?"/,
    ],
    ["another result", BODY.replace("return { plan,", "return { plan: 1,"), /The result differs: .plan was/],
    [
      "a body that throws",
      BODY.replace("const plan", `throw new Error("early"); const plan`),
      /ends where the log goes on/,
    ],
  ])("%s is found", async (_name, body, message) => {
    const builds = testBuilds(build());
    harness = await openHarness(builds);
    const runId = await finished();
    builds.set(build(), build(body, "b2"));
    expect(await replayRun(harness.store, builds, runId)).toMatchObject({
      status: "diverged",
      message: expect.stringMatching(message),
    });
  });

  test("independent branches in another order don't count", async () => {
    const body = (a: string, b: string) =>
      `async () => (await Promise.all([step("${a}")(1), step("${b}")(1)])).length`;
    const more = { a: () => 1, b: () => 2 };
    const tools = { deploy: { workflowId: "tool" } };
    const one = testBuild({ id: "b1", workflows: { tool: body("a", "b") }, steps: more, tools });
    const builds = testBuilds(one);
    harness = await openHarness(builds);
    const runId = await harness.engine.startRun({ tool: "deploy", input: {} });
    await harness.engine.run(runId).result();
    builds.set(one, testBuild({ id: "b2", workflows: { tool: body("b", "a") }, steps: more, tools }));
    expect(await replayRun(harness.store, builds, runId)).toEqual({ status: "identical", runId });
  });
});
