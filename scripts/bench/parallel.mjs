import { WORKFLOWS } from "./lib/app.mjs";
import { row } from "./lib/rows.mjs";
import { interleave, median } from "./lib/stats.mjs";
import { WORLD_LOCAL, withSubjects } from "./lib/subjects.mjs";

export const title = "100 steps at once";

const COUNT = 100;

export async function run({ rounds, log }) {
  return await withSubjects({ log }, async (subjects) => {
    const [eve, peer] = [await subjects.eve(), await subjects.worldLocal()];
    const whole = (subject) => subject.call("run", WORKFLOWS.parallel, [COUNT]);
    // A server has compiled its hot code: the first runs after a start are slower and are a figure of their own.
    const first = await whole(eve);
    for (let n = 0; n < 20; n += 1) await whole(eve);
    const several = async () => {
      const samples = [];
      for (let n = 0; n < 10; n += 1) samples.push(await whole(eve));
      return median(samples);
    };
    const samples = await interleave({ eve: several, peer: () => whole(peer) }, { rounds });
    return [
      row({
        work: "run with 100 parallel steps, start to end",
        unit: "ms",
        samples: samples.eve,
        reference: { name: WORLD_LOCAL, samples: samples.peer },
        reach: { of: "median", atMost: 10 },
      }),
      row({ work: "the same, first of the process (loads the build)", unit: "ms", samples: [first] }),
    ];
  });
}
