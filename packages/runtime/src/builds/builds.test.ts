import { createHash } from "node:crypto";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createEngine, type Engine } from "../engine/engine.js";
import type { EngineOptions } from "../engine/options.js";
import { showRun } from "../inspect/show.js";
import { openSqliteStore } from "../store/sqlite/open.js";
import type { SqliteStore } from "../store/sqlite/store.js";
import { createTestClock } from "../testing/clock.js";
import { folderBuilds } from "./folder.js";
import { readBuildFiles } from "./read.js";

let root: string;
let engine: Engine | undefined;
let store: SqliteStore | undefined;
const clock = createTestClock();

beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), "eve-builds-"));
});
afterEach(async () => {
  await engine?.close();
  await store?.close();
  engine = undefined;
  store = undefined;
  rmSync(root, { recursive: true, force: true });
});

const output = () => path.join(root, ".eve/output");
const keep = () => path.join(root, ".eve/data/builds");
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const place = { file: "agent/tools/t.ts", line: 1, column: 1, name: "execute" };

const WORKFLOW = "workflow//./agent/tools/t//execute";
const STEP = "step//./agent/tools/t//greet";

/**
 * Writes a build as `eve build` publishes it. `reply` is what the step answers (or `work` what it does), `body` what the
 * workflow does.
 */
function publish(
  reply: string,
  body = `return await greet(input.name) + "|" + await wait();`,
  ids = [WORKFLOW],
  work = `return ${JSON.stringify(reply)} + name;`,
): string {
  const step = `(...args) => globalThis[Symbol.for("WORKFLOW_USE_STEP")](${JSON.stringify(STEP)})(...args)`;
  const texts: Record<string, string> = {
    "workflow.cjs": `globalThis.__private_workflows = new Map();
      const greet = ${step};
      const wait = () => globalThis[Symbol.for("WORKFLOW_CREATE_HOOK")]({ token: "t" });
      async function execute(input) { ${body} }
      for (const id of ${JSON.stringify(ids)}) globalThis.__private_workflows.set(id, Object.assign(execute, { workflowId: id }));`,
    "server.mjs": `
      const steps = (globalThis[Symbol.for("@workflow/core//registeredSteps")] ??= new Map());
      async function greet(name) { ${work} }
      greet.stepId = ${JSON.stringify(STEP)};
      steps.set(greet.stepId, greet);
      export const eve = { version: 1, tools: {} };`,
    "manifest.json": JSON.stringify({
      version: 1,
      workflows: Object.fromEntries(ids.map((id) => [id, place])),
      steps: { [STEP]: place },
      tools: { t: { file: place.file, entryPoint: "execute", workflowId: ids[0], description: "" } },
      agents: {},
    }),
  };
  const files = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, sha256(text)]));
  const buildId = sha256(JSON.stringify(files)).slice(0, 32);
  mkdirSync(output(), { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(output(), name), text);
  writeFileSync(
    path.join(output(), "build.json"),
    JSON.stringify({ version: 1, buildId, eve: "0.1.0", options: {}, files }),
  );
  return buildId;
}

async function open(options: Partial<EngineOptions> = {}): Promise<Engine> {
  await engine?.close();
  await store?.close();
  ({ store } = openSqliteStore({ dir: path.join(root, ".eve/data"), clock }));
  engine = createEngine({
    store,
    builds: folderBuilds({ output: output(), keep: keep() }),
    clock,
    ...options,
  });
  await engine.recover();
  return engine;
}

describe("stacks in the log name no folder of this machine", () => {
  test.each([
    ["of an error that a step throws", `throw new Error("no");`],
    ["of one that nobody can change", `throw Object.freeze(new TypeError("no"));`],
    ["of a cause", `throw new Error("no", { cause: Object.freeze(new Error("why")) });`],
    ["of an error that a step returns", `return { error: new RangeError("no") };`],
    ["of settled promises", `return await Promise.allSettled([Promise.reject(new Error("no"))]);`],
  ])("%s", async (_, work) => {
    publish(
      "",
      `return await greet().catch((error) => ({ error }));`,
      [WORKFLOW],
      `greet.maxRetries = 0; ${work}`,
    );
    const runs = await open();
    const runId = await runs.startRun({ tool: "t", input: {} });
    await runs.run(runId).result();
    const log = JSON.stringify(await store?.log(runId));
    expect(log).toContain("no");
    expect(log).not.toContain(root);
    expect(log).not.toContain("node:internal");
  });
});

test("what a body prints, and errors that it gives to steps, name no place in the bundle", async () => {
  const body = `console.error(new Error("printed")); console.log("plain"); return await greet(new Error("given"));`;
  publish("", body, [WORKFLOW], `return String(name.stack);`);
  const lines: string[] = [];
  const runs = await open({ onConsole: ({ text }) => lines.push(text) });
  const runId = await runs.startRun({ tool: "t", input: {} });
  expect(await runs.run(runId).result()).toEqual({ status: "completed", output: "Error: given" });
  expect(lines).toEqual(["Error: printed", "plain"]);
});

describe("reading a build", () => {
  test("without one says to build first", async () => {
    await expect(readBuildFiles(output())).rejects.toMatchObject({ code: "BUILD_MISSING" });
  });

  test("a mixture of two builds is read again until it fits", async () => {
    const buildId = publish("hello ");
    const file = path.join(output(), "server.mjs");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, "export const eve = { version: 1, tools: {} };");
    const reading = readBuildFiles(output());
    setTimeout(() => writeFileSync(file, text), 120);
    expect((await reading).info.buildId).toBe(buildId);
  });

  test("files that never fit, and files of another form, are named", async () => {
    publish("hello ");
    writeFileSync(path.join(output(), "server.mjs"), "");
    await expect(readBuildFiles(output())).rejects.toThrow(/server\.mjs isn't what build\.json says/);
    writeFileSync(path.join(output(), "build.json"), "{}");
    await expect(readBuildFiles(output())).rejects.toMatchObject({ code: "BUILD_INVALID" });
    writeFileSync(path.join(output(), "build.json"), "{");
    await expect(readBuildFiles(output())).rejects.toThrow("build.json isn't JSON");
  });
});

describe("Runs in flight finish on the deployment that started them", () => {
  test("a run finishes on its own build, although another one was published; a new run takes the new one", async () => {
    const first = publish("hello ");
    const runs = await open();
    const runId = await runs.startRun({ tool: "t", input: { name: "Ada" } });
    expect(await runs.run(runId).idle()).toBe("waiting");
    expect(readdirSync(keep())).toEqual([first]);
    const second = publish("bonjour ", `return "new " + await greet(input.name);`);
    const later = await open();
    await later.resumeHook("t", "go");
    expect(await later.run(runId).result()).toEqual({ status: "completed", output: "hello Ada|go" });
    const next = await later.startRun({ tool: "t", input: { name: "Bob" } });
    expect(await later.run(next).result()).toEqual({ status: "completed", output: "new bonjour Bob" });
    expect(readdirSync(keep()).sort()).toEqual([first, second].sort());
  });

  test("if that build is gone, the present one continues a run whose body still does the same", async () => {
    const first = publish("hello ");
    const runs = await open();
    const runId = await runs.startRun({ tool: "t", input: { name: "Ada" } });
    expect(await runs.run(runId).idle()).toBe("waiting");
    publish("bonjour ");
    rmSync(path.join(keep(), first), { recursive: true });
    const later = await open();
    await later.resumeHook("t", "go");
    expect(await later.run(runId).result()).toEqual({ status: "completed", output: "hello Ada|go" });
  });

  test("a run that moved to another build stays on that one over the next deploys", async () => {
    const body = `const hook = wait(); const first = await greet(input.name); await hook; const second = await greet("again"); await hook; return first + second;`;
    const first = publish("hello ", body);
    const runId = await (await open()).startRun({ tool: "t", input: { name: "Ada" } });
    await engine?.run(runId).idle();
    rmSync(path.join(keep(), first), { recursive: true });
    const second = publish("bonjour ", body);
    const later = await open();
    await later.resumeHook("t", "go");
    expect(await later.run(runId).idle()).toBe("waiting");
    expect(readdirSync(keep())).toEqual([second]);
    expect(await store?.run(runId)).toMatchObject({ buildId: first, movedTo: second });
    // This one does something else, and every copy that no run needs goes.
    publish("ciao ", `return await greet("someone else");`);
    const last = await open();
    expect(await store?.buildsInUse()).toEqual([first, second].sort());
    await last.resumeHook("t", "go");
    expect(await last.run(runId).result()).toEqual({ status: "completed", output: "hello Adabonjour again" });
  });

  test("a body that does something else by now fails the run with both calls, never corrupts it", async () => {
    const first = publish("hello ");
    const runs = await open();
    const runId = await runs.startRun({ tool: "t", input: { name: "Ada" } });
    expect(await runs.run(runId).idle()).toBe("waiting");
    publish("bonjour ", `return await greet("someone else") + await wait();`);
    rmSync(path.join(keep(), first), { recursive: true });
    const later = await open();
    await expect(later.resumeHook("t", "go")).rejects.toMatchObject({ code: "REPLAY_DIVERGENCE" });
    const result = await later.run(runId).result();
    expect(result).toMatchObject({ status: "failed", error: { name: "ReplayDivergence" } });
    if (result.status !== "failed") return expect.unreachable();
    expect(result.error.message).toContain(STEP);
    expect(result.error.message).toContain('args[0] was "Ada" and is "someone else"');
    expect(result.error.stack).toBe(`ReplayDivergence: ${result.error.message}`);
  });

  test("a run that resumes on a deployment without its tool fails with an error naming the missing workflow", async () => {
    const first = publish("hello ");
    const runs = await open();
    const runId = await runs.startRun({ tool: "t", input: { name: "Ada" } });
    expect(await runs.run(runId).idle()).toBe("waiting");
    publish("hello ", undefined, ["workflow//./agent/tools/renamed//execute"]);
    rmSync(path.join(keep(), first), { recursive: true });
    const later = await open();
    await expect(later.resumeHook("t", "go")).rejects.toMatchObject({ code: "WORKFLOW_MISSING" });
    const result = await later.run(runId).result();
    expect(result).toMatchObject({
      status: "failed",
      error: { name: "WorkflowMissingError", message: expect.stringContaining(WORKFLOW) },
    });
  });

  test("builds that no unfinished run needs are let go, except the newest few", async () => {
    const builds = folderBuilds({ output: output(), keep: keep(), spare: 1 });
    const ids = [];
    for (const [n, reply] of ["a", "b", "c", "d"].entries()) {
      ids.push(publish(reply));
      builds.reload();
      await builds.keep(await builds.current());
      utimesSync(path.join(keep(), ids[n] as string), n, n);
    }
    const [oldest, second, third, present] = ids as [string, string, string, string];
    await builds.prune([oldest]);
    expect(readdirSync(keep()).sort()).toEqual([oldest, third, present].sort());
    expect(await builds.find(second)).toBeUndefined();
    await builds.prune([]);
    expect(readdirSync(keep()).sort()).toEqual([third, present].sort());
  });
});

describe("the copies of builds", () => {
  /** A waiting run on a build that is still the present one; gives its copy's folder. */
  async function waiting(): Promise<{ runId: string; copy: string }> {
    const id = publish("hello ");
    const runs = await open();
    const runId = await runs.startRun({ tool: "t", input: { name: "Ada" } });
    expect(await runs.run(runId).idle()).toBe("waiting");
    return { runId, copy: path.join(keep(), id) };
  }

  test.each([
    [
      "changed",
      (copy: string) => writeFileSync(path.join(copy, "server.mjs"), "throw new Error('changed');"),
    ],
    ["half gone", (copy: string) => rmSync(path.join(copy, "workflow.cjs"))],
    ["without its build.json", (copy: string) => rmSync(path.join(copy, "build.json"))],
  ])("one that is %s is made anew from the output while that is the same build", async (_name, damage) => {
    const { runId, copy } = await waiting();
    const whole = readdirSync(copy);
    damage(copy);
    const later = await open();
    await later.resumeHook("t", "go");
    expect(await later.run(runId).result()).toEqual({ status: "completed", output: "hello Ada|go" });
    const next = await later.startRun({ tool: "t", input: { name: "Bob" } });
    expect(await later.run(next).idle()).toBe("waiting");
    expect(readdirSync(copy)).toEqual(whole);
    expect(readFileSync(path.join(copy, "server.mjs"), "utf8")).not.toContain("changed");
  });

  test("a damaged one of another build is named with what to do, and its run stays as it is", async () => {
    const { runId, copy } = await waiting();
    writeFileSync(path.join(copy, "workflow.cjs"), "changed");
    publish("bonjour ");
    const later = await open();
    await expect(later.resumeHook("t", "go")).rejects.toMatchObject({
      code: "BUILD_COPY_DAMAGED",
      message: expect.stringContaining("workflow.cjs isn't what build.json says"),
      action: expect.stringContaining("Restore the folder"),
    });
    expect(await later.run(runId).status()).toBe("waiting");
    const builds = folderBuilds({ output: output(), keep: keep() });
    expect(await showRun(later.store, runId, { builds })).toMatchObject({ runId, status: "waiting" });
  });

  test("are let go of by who only starts runs, too; what an interrupted removal left goes with them", async () => {
    const builds = folderBuilds({ output: output(), keep: keep(), spare: 0 });
    const old = publish("a");
    await builds.keep(await builds.current());
    const present = publish("b", "return 1;");
    const leftover = path.join(keep(), ".half.0a");
    mkdirSync(leftover);
    utimesSync(leftover, 1, 1);
    ({ store } = openSqliteStore({ dir: path.join(root, ".eve/data"), clock }));
    const fresh = folderBuilds({ output: output(), keep: keep(), spare: 0 });
    engine = createEngine({ store, builds: fresh, clock });
    expect(readdirSync(keep()).sort()).toEqual([".half.0a", old].sort());
    // The tool's schema is read before the run starts.
    await (await fresh.current()).server();
    await engine.startRun({ tool: "t", input: {} });
    expect(readdirSync(keep())).toEqual([present]);
  });
});

test("host code that throws while it is loaded fails the step by name, with the cause", async () => {
  publish("hello ");
  const server = "throw new Error('no database');";
  writeFileSync(path.join(output(), "server.mjs"), server);
  const info = JSON.parse(readFileSync(path.join(output(), "build.json"), "utf8")) as {
    files: Record<string, string>;
  };
  info.files["server.mjs"] = sha256(server);
  writeFileSync(path.join(output(), "build.json"), JSON.stringify({ ...info, buildId: "broken" }));
  const runs = await open();
  const runId = await runs.startRun({ tool: "t", input: { name: "Ada" } });
  expect(await runs.run(runId).result()).toMatchObject({
    status: "failed",
    error: { name: "BuildImportError", message: expect.stringContaining("no database") },
  });
});

test("an unknown tool is refused with the names that there are", async () => {
  publish("hello ");
  await expect((await open()).startRun({ tool: "deploy" })).rejects.toMatchObject({
    code: "UNKNOWN_TOOL",
    action: "It has: t.",
  });
});
