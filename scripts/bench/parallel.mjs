import { WORKFLOWS } from "./lib/app.mjs";
import { row } from "./lib/rows.mjs";
import { interleave } from "./lib/stats.mjs";
import { WORLD_LOCAL, withSubjects } from "./lib/subjects.mjs";

export const title = "100 steps at once";

const COUNT = 100;

export async function run({ rounds, log }) {
  return await withSubjects({ log }, async (subjects) => {
    const [eve, peer] = [await subjects.eve(), await subjects.worldLocal()];
    const whole = (subject) => () => subject.call("run", WORKFLOWS.parallel, [COUNT]);
    const samples = await interleave({ eve: whole(eve), peer: whole(peer) }, { rounds, warmUp: true });
    return [
      row({
        work: "run with 100 parallel steps, start to end",
        unit: "ms",
        samples: samples.eve,
        reference: { name: WORLD_LOCAL, samples: samples.peer },
        reach: { of: "median", atMost: 10 },
      }),
    ];
  });
}
