import { WORKFLOWS } from "./lib/app.mjs";
import { row } from "./lib/rows.mjs";
import { WORLD_LOCAL, withSubjects } from "./lib/subjects.mjs";

export const title = "a run with 100 completed steps goes on that isn't in memory";

const STEPS = 100;
/** Resumes of a process whose code V8 hasn't optimised yet. */
const EARLY = 20;

/** Leaves runs waiting for a payload, with all their steps but the last behind them. */
async function park(subject, count) {
  const runs = [];
  for (let n = 0; n < count; n += 1) {
    const token = `resume-${n}`;
    runs.push({ token, runId: await subject.call("park", WORKFLOWS.parked, [STEPS, token], token) });
  }
  return runs;
}

/** From the payload's arrival to the run's end: load the log, replay 100 steps, one more step, end. */
async function resume(subject, runs) {
  const samples = [];
  for (const { runId, token } of runs) samples.push(await subject.call("resume", runId, token, 1));
  return samples;
}

export async function run({ rounds, quick, log }) {
  return await withSubjects({ log }, async (subjects) => {
    // The first resume also loads the build and is a figure of its own.
    const count = quick ? 3 : 1 + EARLY + rounds * 6;
    log(`eve: ${count} runs`);
    const before = await subjects.eve();
    const parked = await park(before, count);
    await before.close();
    const [first, ...others] = await resume(await subjects.eve(), parked);
    const early = others.slice(0, quick ? 1 : EARLY);
    const later = others.slice(early.length);
    log(WORLD_LOCAL);
    const peer = await subjects.worldLocal();
    const reference = { name: WORLD_LOCAL, samples: await resume(peer, await park(peer, rounds)) };
    return [
      row({
        work: "payload to end of an evicted run",
        unit: "ms",
        samples: later,
        reference,
        reach: { of: "median", atMost: 5 },
      }),
      row({ work: `the same, the first ${EARLY} after a restart`, unit: "ms", samples: early }),
      row({ work: "the same, the very first (loads the build)", unit: "ms", samples: [first] }),
    ];
  });
}
