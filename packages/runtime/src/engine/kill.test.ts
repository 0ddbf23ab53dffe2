import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSqliteStore } from "../store/sqlite/open.js";
import { bundleChild } from "../testing/bundle-child.js";
import { expected } from "../testing/kill-child.js";
import { checkInvariants } from "../testing/faults.js";
import { summarise } from "../testing/fault-summary.js";
import { seeded } from "../testing/programs.js";
import { resultOfLog } from "../testing/logs.js";

const RUNS = 40;
const KILLS = Number(process.env.EVE_KILLS ?? 12);
let dir: string;
let child: string;

beforeAll(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), "eve-kill-"));
  child = await bundleChild("kill-child.ts");
});
afterAll(() => {
  rmSync(dir, { recursive: true, force: true });
  rmSync(child, { force: true });
});

/** Lets the child work and kills it after so many milliseconds; gives what it was acknowledged. */
async function work(killAfter: number | undefined): Promise<string[]> {
  const running = spawn(process.execPath, [child, dir, String(RUNS)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  let timer: NodeJS.Timeout | undefined;
  running.stdout.setEncoding("utf8");
  running.stdout.on("data", (chunk: string) => {
    // From the first sign of life on, so that the start of Node doesn't count.
    if (killAfter !== undefined) timer ??= setTimeout(() => running.kill("SIGKILL"), killAfter);
    text += chunk;
  });
  // A child that has nothing to acknowledge at first is killed as well.
  const latest =
    killAfter === undefined ? undefined : setTimeout(() => running.kill("SIGKILL"), 1_500 + killAfter);
  await once(running, "close");
  clearTimeout(timer);
  clearTimeout(latest);
  return text.split("\n").slice(0, -1);
}

test(
  `kill -9 at ${KILLS} random moments loses nothing acknowledged and repeats no completed step`,
  { timeout: 120_000 },
  async () => {
    const random = seeded(Number(process.env.EVE_KILL_SEED ?? 1));
    const acknowledged: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) acknowledged.push(...(await work(Math.floor(random() * 40))));
    const last = await work(undefined);
    expect(last.at(-1)).toBe("done");
    acknowledged.push(...last);

    const { store } = openSqliteStore({ dir, readOnly: true });
    const executions = new Map<string, Map<string, number>>();
    for (const line of readFileSync(path.join(dir, "effects.log"), "utf8").split("\n").slice(0, -1)) {
      const [runId = ""] = line.split("/");
      const ofRun = executions.get(runId) ?? new Map<string, number>();
      ofRun.set(line, (ofRun.get(line) ?? 0) + 1);
      executions.set(runId, ofRun);
    }
    const runs = await store.runs();
    expect(runs).toHaveLength(RUNS);
    for (const line of acknowledged.filter((one) => one.startsWith("started"))) {
      const [, n, runId = ""] = line.split(" ");
      const log = await store.log(runId);
      const result = resultOfLog(log);
      expect(result).toEqual({ status: "completed", output: expected(Number(n)) });
      checkInvariants({ log, executions: executions.get(runId) ?? new Map() });
    }
    for (const { runId } of runs) {
      const log = await store.log(runId);
      expect(log.at(-1)?.event).toMatchObject({ type: "run-ended", status: "completed" });
      checkInvariants({ log, executions: executions.get(runId) ?? new Map() });
    }
    await store.close();
    summarise("killed", { kills: KILLS, runs: RUNS, acknowledged: acknowledged.length });
  },
);
