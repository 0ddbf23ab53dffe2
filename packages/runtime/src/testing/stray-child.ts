/**
 * The child of the tests on stray errors: runs one step whose code does what its first argument names, and says on
 * stdout, as lines of JSON, what the engine was told.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { Readable } from "node:stream";
import { createEngine } from "../engine/engine.js";
import { openSqliteStore } from "../store/sqlite/open.js";
import { messageOf } from "../values/thrown.js";
import { testBuild, testBuilds } from "./build.js";

const [, , deed = "", handlers = ""] = process.argv;
const soon = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const fail = () => {
  throw new Error("astray");
};

const DEEDS: Record<string, () => unknown> = {
  async rejects() {
    void Promise.reject(new Error("astray"));
    await soon(20);
    return "went on";
  },
  async rejectsHostile() {
    void Promise.reject(Object.create(null));
    await soon(20);
    return "went on";
  },
  rejectsLater() {
    void soon(10).then(fail);
    return "returned before";
  },
  async throwsInTimer() {
    setTimeout(fail, 5);
    await soon(60_000);
  },
  /** As a stream does whose connection breaks while its step returns. */
  async throwsNext() {
    new Readable({ read() {} }).destroy(new Error("astray"));
    return "returned before";
  },
  async throwsNextButOne() {
    process.nextTick(() => process.nextTick(fail));
    return "returned before";
  },
  async exitsNext() {
    process.nextTick(() => process.exit(0));
    return "returned before";
  },
  outside: () => "fine",
  async exits() {
    await soon(5);
    process.exit(0);
  },
};

const say = (what: string, value: unknown) => process.stdout.write(`${JSON.stringify([what, value])}\n`);

async function main(): Promise<void> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "eve-stray-"));
  process.on("exit", () => rmSync(dir, { recursive: true, force: true }));
  const { store } = openSqliteStore({ dir });
  const deedDone = DEEDS[deed] ?? fail;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const build = testBuild({
    // Steps before and after it: what the deed does must not be put down to them.
    workflows: {
      w: `async () => {
        for (let n = 0; n < 200; n++) await step("calm")();
        const result = await step("deed")();
        await step("calm")();
        return result;
      }`,
    },
    steps: {
      calm: () => undefined,
      deed() {
        begin();
        return deedDone();
      },
    },
  });
  const engine = createEngine({
    store,
    builds: testBuilds({ ...build, mapStack: (stack) => stack.replaceAll("deed", "mapped") }),
    ids: { runId: () => "run", token: () => "token", seed: () => "ab".repeat(16) },
    onProblem: ({ runId, step, error }) => say("problem", { runId, step, message: messageOf(error) }),
    ...(handlers === "fatal"
      ? {
          onFatal({ runId, step, error }) {
            say("fatal", { runId, step, message: messageOf(error) });
            say("running", engine.runningSteps());
            process.exit(2);
          },
        }
      : {}),
    onExit(running) {
      say("exit", running);
      process.exitCode = 3;
    },
  });
  if (handlers === "own") process.on("uncaughtException", (error) => say("own", error.message));
  if (deed === "outside") {
    await engine.startRun({ workflowId: "w" });
    await engine.run("run").result();
    void Promise.reject(new Error("not of a step"));
    await soon(1_000);
  }
  await engine.startRun({ workflowId: "w" });
  await begun;
  await soon(5);
  say("running", engine.runningSteps());
  if (handlers === "own") {
    await soon(50);
    await engine.close();
    process.exit(0);
  }
  say("result", await engine.run("run").result());
  await soon(50);
  await engine.close();
  await store.close();
}

await main();
