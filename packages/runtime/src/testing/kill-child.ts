/**
 * The child of the kill test: one engine on the folder it is given, working off a list of runs. What it has been
 * acknowledged it says on stdout; what its steps do they append to `effects.log`, so that it outlives the process.
 */
import { appendFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import type { EveHost } from "eve/internal/host-api";
import { HOST } from "eve/internal/symbols";
import { createEngine } from "../engine/engine.js";
import { HookNotFoundError } from "../errors/engine.js";
import { openSqliteStore } from "../store/sqlite/open.js";
import { testBuild, testBuilds } from "./build.js";

const [, , dir = "", wanted = "0"] = process.argv;
const effects = path.join(dir, "effects.log");
const host = () => (globalThis as unknown as { [HOST]: EveHost })[HOST];
const say = (line: string) => process.stdout.write(`${line}\n`);

const work = Object.assign(
  async (n: unknown) => {
    appendFileSync(effects, `${host().currentStep()?.stepId ?? ""}\n`);
    if (Number(n) % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
    return Number(n) + 1;
  },
  { maxRetries: 1_000 },
);

const build = testBuild({
  workflows: {
    w: `async (n) => {
      let sum = 0;
      for (let i = 0; i < 6; i++) sum += await step("work")(n + i);
      sum += (await Promise.all([step("work")(n), step("work")(n + 1), sleep(5).then(() => 1)])).reduce((a, b) => a + b);
      const payload = await createHook({ token: "hook-" + n });
      return sum + payload + await step("work")(n);
    }`,
  },
  steps: { work },
});

/** What the workflow gives for `n`. */
export const expected = (n: number): number => 6 * n + 15 + 6 + (n + 1 + n + 2 + 1) + 100 + n + 1;

async function main(): Promise<void> {
  const { store } = openSqliteStore({ dir });
  const engine = createEngine({
    store,
    builds: testBuilds(build),
    onProblem: ({ error }) => process.stderr.write(`${String(error)}\n`),
  });
  await engine.recover();
  const present = (await store.runs()).length;
  // Started one by one: a run that isn't acknowledged may exist all the same, so tokens would clash otherwise.
  for (let n = present; n < Number(wanted); n += 1) {
    const runId = await engine.startRun({ workflowId: "w", args: [n] });
    say(`started ${n} ${runId}`);
  }
  for (;;) {
    const runs = await store.runs();
    for (const { token } of await store.hooks()) {
      try {
        await engine.resumeHook(token, 100);
        say(`resumed ${token}`);
      } catch (error) {
        // A hook that has its payload already stays open until its run ends, which may be just now.
        if (!(error instanceof HookNotFoundError)) throw error;
      }
    }
    if (runs.every((run) => run.endedAt !== undefined)) break;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await engine.close();
  await store.close();
  say("done");
}

if (wanted !== "0") await main();
