import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { appWith, testApp, toolSource, type TestApp } from "./testing/cli.js";

const INPUT = ["--input", '{"service":"api"}'];

function document(stdout: string): { status: string; runId: string; [key: string]: unknown } {
  return JSON.parse(stdout) as { status: string; runId: string };
}

it("builds, asks, and prints the result", async () => {
  const app = testApp("deploy-agent");
  const { code, stdout, stderr } = await app.eve(["run", "deploy", ...INPUT, "--answer", "approve"]);
  expect(stderr).toContain("? Deploy api?");
  expect(JSON.parse(stdout)).toEqual({
    deployed: true,
    url: expect.stringMatching(/^https:\/\/api\.example\.com/),
  });
  expect(code).toBe(0);
});

it("takes answers from standard input, by id, label or number, and repeats the question for others", async () => {
  const app = testApp("deploy-agent");
  await app.eve(["build"]);
  for (const [input, deployed] of [
    ["what?\n2\n", false],
    ["DEPLOY\n", true],
  ] as const) {
    const { stdout, stderr } = await app.eve(["run", "deploy", ...INPUT, "--no-build", "--json"], { input });
    expect(document(stdout)).toMatchObject({ status: "completed", output: { deployed } });
    if (input.startsWith("what"))
      expect(stderr).toMatch(/"what\?" doesn't answer.*approve \(Deploy\) or cancel \(Cancel\)/);
  }
});

it("leaves the run waiting at the end of input; --resume and runs answer go on without repeating steps", async () => {
  const app = testApp("deploy-agent");
  const first = await app.eve(["run", "deploy", ...INPUT, "--json"]);
  const { runId, status } = document(first.stdout);
  expect([first.code, status]).toEqual([0, "waiting"]);
  expect(first.stderr).toContain(`eve run --resume ${runId}`);

  const resumed = await app.eve(["run", "--resume", runId, "--answer", "approve", "--json"]);
  expect(document(resumed.stdout)).toMatchObject({
    status: "completed",
    output: { deployed: true },
    steps: [
      { id: "step//./agent/tools/deploy//planDeploy", status: "completed", attempts: 1 },
      { id: "step//./agent/tools/deploy//applyDeploy", status: "completed", attempts: 1 },
    ],
  });

  const second = document((await app.eve(["run", "deploy", ...INPUT, "--json", "--no-build"])).stdout);
  expect(await app.eve(["runs", "answer", second.runId, "maybe"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("approve (Deploy)"),
  });
  expect(await app.eve(["runs", "answer", second.runId, `${second.runId}-ask-0`, "cancel"])).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("is completed"),
  });
  expect(await app.eve(["runs", "answer", second.runId, "cancel"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has ended (completed)"),
  });
});

it("leaves the run waiting when an --answer doesn't fit its question, and says so", async () => {
  const app = testApp("deploy-agent");
  const { code, stdout, stderr } = await app.eve(["run", "deploy", ...INPUT, "--answer", "maybe", "--json"]);
  const { runId, status } = document(stdout);
  expect([code, status]).toEqual([2, "waiting"]);
  expect(stderr).toContain(`eve run --resume ${runId}`);
  expect(await app.eve(["runs", "answer", runId, "cancel"])).toMatchObject({ code: 0 });
});

it("survives kill -9 while the question is open", async () => {
  const app = testApp("deploy-agent");
  const { child, says, ended } = app.start(["run", "deploy", ...INPUT]);
  await says(/\? Deploy api\?/);
  child.kill("SIGKILL");
  await ended;
  const [run] = JSON.parse((await app.eve(["runs", "list", "--json"])).stdout) as {
    runId: string;
    status: string;
  }[];
  expect(run).toMatchObject({ tool: "deploy", status: "waiting" });
  const { stdout } = await app.eve(["run", "--resume", run?.runId ?? "", "--json"], { input: "approve\n" });
  expect(document(stdout)).toMatchObject({ status: "completed", steps: [{ attempts: 1 }, { attempts: 1 }] });
});

it("doesn't take a step that ends the process for a success", async () => {
  const app = testApp(
    appWith({
      exits: toolSource(
        "return await leave();",
        'async function leave() {\n  "use step";\n  process.exit(0);\n}',
      ),
    }),
  );
  const { code, stderr } = await app.eve(["run", "exits", "--json"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/process\.exit.*step\/\/\.\/agent\/tools\/exits\/\/leave.*eve run --resume wrun_/);
});

it("names the step that threw where nobody can catch it, without a stack", async () => {
  const app = testApp(
    appWith({
      stray: toolSource(
        "return await lose();",
        'async function lose() {\n  "use step";\n  setTimeout(() => { throw new Error("lost"); }, 1);\n  await new Promise((resolve) => setTimeout(resolve, 5000));\n}',
      ),
    }),
  );
  const { code, stderr } = await app.eve(["run", "stray", "--json"]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/step\/\/\.\/agent\/tools\/stray\/\/lose.*lost/s);
  expect(stderr).not.toMatch(/node_modules|dist\/index\.js/);
});

/** A run that waits for an answer, and whose workflow no build has any more. */
async function waitingForGoneWorkflow(): Promise<{ app: TestApp; runId: string }> {
  const app = testApp(appWith({ old: toolSource('return await ctx.ask({ prompt: "Go?" });') }));
  const { runId } = document((await app.eve(["run", "old", "--json"])).stdout);
  for (const gone of ["agent/tools/old.ts", ".eve/data/builds"])
    rmSync(path.join(app.dir, gone), { recursive: true });
  writeFileSync(path.join(app.dir, "agent/tools/other.ts"), toolSource("return 1;"));
  await app.eve(["build"]);
  return { app, runId };
}

it("fails a run whose workflow is gone, by the name of the workflow", async () => {
  const { app, runId } = await waitingForGoneWorkflow();
  const missing = expect.stringContaining("workflow//./agent/tools/old//execute");
  const { code, stdout } = await app.eve(["run", "--resume", runId, "--json"]);
  expect([code, document(stdout)]).toMatchObject([1, { status: "failed", error: { message: missing } }]);
});

it("an answer to a run that can't go on fails as the run does", async () => {
  const { app, runId } = await waitingForGoneWorkflow();
  const { code, stderr } = await app.eve(["runs", "answer", runId, "yes"]);
  expect(stderr).toContain("workflow//./agent/tools/old//execute");
  expect(stderr).toContain(`Run ${runId} is failed.`);
  expect(code).toBe(1);
});

it("leaves the run waiting on Ctrl-C and says how to go on", async () => {
  const app = testApp("deploy-agent");
  const { child, says, ended } = app.start(["run", "deploy", ...INPUT]);
  await says(/\? Deploy api\?/);
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(/Go on with: eve run --resume wrun_/);
});

it("names the process that holds the data folder", async () => {
  const app = testApp("deploy-agent");
  const { child, says } = app.start(["run", "deploy", ...INPUT]);
  await says(/\? Deploy api\?/);
  const { code, stderr } = await app.eve(["run", "deploy", ...INPUT, "--no-build"]);
  expect(code).toBe(2);
  expect(stderr).toContain(String(child.pid));
  expect((await app.eve(["runs", "list"])).stdout).toContain("waiting");
});

it("shows progress, retries and a failure with the author's places", async () => {
  const app = testApp(
    appWith({
      work: toolSource('yield { status: "half" };\n    await flaky();\n    await broken();', RETRYING, {
        entry: "async *execute()",
      }),
    }),
  );
  const { code, stdout } = await app.eve(["run", "work", "--json"]);
  expect(code).toBe(1);
  const failed = document(stdout);
  expect(failed).toMatchObject({
    status: "failed",
    error: { name: "FatalError", message: "no way" },
    progress: [{ status: "half" }],
    steps: [
      { id: "step//./agent/tools/work//flaky", status: "completed", attempts: 2 },
      {
        id: "step//./agent/tools/work//broken",
        status: "failed",
        attempts: 1,
        error: { name: "FatalError" },
      },
    ],
  });
  expect((failed["error"] as { stack: string }).stack).toMatch(/agent\/tools\/work\.ts:\d+/);
});

const RETRYING = `
let tries = 0;
async function flaky() {
  "use step";
  tries += 1;
  if (tries === 1) throw new RetryableError("not yet", { retryAfter: 1 });
  return tries;
}
async function broken() {
  "use step";
  throw new FatalError("no way");
}
`;

it("keeps stdout for the document: what steps and bodies print goes to stderr", async () => {
  const app = testApp(
    appWith({
      loud: toolSource(
        'console.log("from the body"); return await speak();',
        'async function speak() {\n  "use step";\n  console.log("from the step");\n  return 1;\n}',
      ),
    }),
  );
  const { stdout, stderr } = await app.eve(["run", "loud", "--json"]);
  expect(document(stdout)).toMatchObject({ status: "completed", output: 1 });
  expect(stderr).toContain("from the body");
  expect(stderr).toContain("from the step");
});

it("asks for approval where the tool has a policy; a refused call starts no run", async () => {
  const app = testApp(
    appWith({ gated: toolSource("return 1;", "", { extra: 'approval: () => true, label: "Gate",' }) }),
  );
  const refused = await app.eve(["run", "gated", "--answer", "cancel", "--json"]);
  expect(refused.stderr).toContain("Approve Gate?");
  expect([refused.code, document(refused.stdout)]).toMatchObject([
    1,
    { status: "cancelled", error: { name: "TOOL_EXECUTION_DENIED" }, runId: null },
  ]);
  expect(JSON.parse((await app.eve(["runs", "list", "--json"])).stdout)).toEqual([]);
  expect((await app.eve(["run", "gated", "--answer", "approve"])).stdout).toBe("1\n");
});

it.each([
  [["run"], /Name the tool to call/],
  [["run", "deplo", "--no-build"], /no tool "deplo".*Did you mean deploy\?/],
  [["run", "deploy", "--no-build", "--input", "{"], /--input is not valid JSON/],
  [["run", "deploy", "--no-build", "--input", "@none.json"], /can't read none\.json/],
  [["run", "deploy", "--no-build", "--input", '{"service":1}'], /service: .*expected string/],
  [["run", "deploy", "--no-build", ...INPUT, "--answer", "maybe"], /"maybe" doesn't answer/],
  [["run", "--resume", "wrun_none"], /no run wrun_none/],
  [["run", "deploy", "--dir", "nowhere"], /nowhere is not a folder/],
  [["fly"], /unknown command 'fly'/],
])("says what is wrong with %j and exits 2", async (args, message) => {
  const app = testApp("deploy-agent");
  await app.eve(["build"]);
  const { code, stderr } = await app.eve(args);
  expect(stderr).toMatch(message);
  expect(stderr).not.toMatch(/\n {4}at /);
  expect(code).toBe(2);
});

it("says that there is no app, and no build", async () => {
  const empty = testApp({ "readme.txt": "" });
  expect(await empty.eve(["build"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('no "agent/" folder'),
  });
  const app = testApp("deploy-agent");
  expect(await app.eve(["run", "deploy", "--no-build"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/eve build/),
  });
});

it("takes the input from standard input; what asks then has no more answers and is left waiting", async () => {
  const app = testApp("deploy-agent");
  await app.eve(["build"]);
  const { code, stdout, stderr } = await app.eve(["run", "deploy", "--input", "-", "--json", "--no-build"], {
    input: '{"service":"api"}',
  });
  expect([code, document(stdout).status]).toEqual([0, "waiting"]);
  expect(stderr).toMatch(/Go on with: eve run --resume/);
});

it("can be answered from another terminal while its question is open", async () => {
  const app = testApp("deploy-agent");
  const { says, ended } = app.start(["run", "deploy", ...INPUT, "--json"]);
  await says(/\? Deploy api\?/);
  const [run] = JSON.parse((await app.eve(["runs", "list", "--json"])).stdout) as { runId: string }[];
  await expect
    .poll(async () => (await app.eve(["runs", "answer", run?.runId ?? "", "approve"])).code, {
      timeout: 15_000,
    })
    .toBe(0);
  expect(document((await ended).stdout)).toMatchObject({ status: "completed", output: { deployed: true } });
});

it("shows a run that was killed in a step as interrupted, with the command that goes on", async () => {
  const app = testApp(
    appWith({
      long: toolSource(
        "return await work();",
        'async function work() {\n  "use step";\n  console.log("working");\n  await new Promise((resolve) => setTimeout(resolve, 60_000));\n}',
      ),
    }),
  );
  const { child, says, ended } = app.start(["run", "long"]);
  await says(/working/);
  child.kill("SIGKILL");
  await ended;
  const { stdout } = await app.eve(["runs", "list"]);
  expect(stdout).toMatch(/^wrun_\w+ {2}interrupted {2}long/);
  const [runId = ""] = stdout.split(" ");
  expect((await app.eve(["runs", "show", runId])).stdout).toContain(`Go on with: eve run --resume ${runId}`);
});
