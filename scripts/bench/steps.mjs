import { WORKFLOWS } from "./lib/app.mjs";
import { row } from "./lib/rows.mjs";
import { interleave } from "./lib/stats.mjs";
import { WORLD_LOCAL, withSubjects } from "./lib/subjects.mjs";

export const title =
  "sequential steps on SQLite (WAL, synchronous=FULL), each on disk before the next begins";

const micros = (ms, count) => (ms * 1000) / count;

/**
 * What a durable step costs beyond the commit that no engine can avoid: in a process that has done it before, whose
 * code V8 has optimised, and among its first steps.
 */
async function floorRows(eve, work, workflow, reach, { rounds, quick, log }) {
  log(`${work} against raw commits`);
  // Short samples in close turns: what a commit costs drifts with the disk's other work.
  const inTurns = (count, options) =>
    interleave(
      {
        raw: async () => micros(await eve.call("rawCommits", count), count),
        step: async () => micros(await eve.call("run", workflow, [count]), count),
      },
      options,
    );
  const toRow = (name, { raw, step }, aim) =>
    row({
      work: name,
      unit: "µs",
      samples: step,
      reference: { name: "one raw commit", samples: raw },
      reach: aim,
    });
  const first = await inTurns(200, { rounds: 5 });
  if (!quick) await inTurns(5_000, { rounds: 3 });
  const warm = await inTurns(500, { rounds: rounds * 6 });
  return [toRow(work, warm, reach), toRow("the same, first 1,000 of the process", first)];
}

/** The same without the disk: what the processor does for a step, which other work on the machine changes little. */
async function cpuRow(eve, { rounds, log }) {
  log("CPU of a step");
  const COUNT = 1000;
  const cpu = async (work) => {
    const before = await eve.call("cpuMs");
    await work();
    return micros((await eve.call("cpuMs")) - before, COUNT);
  };
  const { raw, step } = await interleave(
    {
      raw: () => cpu(() => eve.call("rawCommits", COUNT)),
      step: () => cpu(() => eve.call("run", WORKFLOWS.sequential, [COUNT])),
    },
    { rounds, warmUp: true },
  );
  const reference = { name: "of one raw commit", samples: raw };
  return row({ work: "CPU time of a sequential step", unit: "µs", samples: step, reference });
}

/** Does a long run get slower as it goes? */
async function lengthRows(eve, { rounds, log }) {
  log("10,000 steps against 100");
  const [SHORT, LONG] = [100, 10_000];
  const short = async () => {
    let ms = 0;
    for (let n = 0; n < 10; n += 1) ms += await eve.call("run", WORKFLOWS.sequential, [SHORT]);
    return micros(ms, SHORT * 10);
  };
  const long = async () => micros(await eve.call("run", WORKFLOWS.sequential, [LONG]), LONG);
  const samples = await interleave({ short, long }, { rounds });
  return [
    row({
      work: "step of a run with 10,000",
      unit: "µs",
      samples: samples.long,
      reference: { name: "step of a run with 100", samples: samples.short },
      reach: { of: "ratio", atMost: 1.3 },
    }),
  ];
}

/** `count` steps by both engines. Also the start of the run is in it. */
async function peerRow(eve, peer, count, atLeast, { rounds, log }) {
  log(`${count} steps against ${WORLD_LOCAL}`);
  const perStep = (subject) => async () => (await subject.call("run", WORKFLOWS.sequential, [count])) / count;
  const samples = await interleave({ eve: perStep(eve), peer: perStep(peer) }, { rounds });
  return row({
    work: `step of a run with ${count}`,
    unit: "ms",
    samples: samples.eve,
    reference: { name: WORLD_LOCAL, samples: samples.peer },
    reach: { of: "speedup", atLeast },
  });
}

export async function run(options) {
  const rows = await withSubjects(options, async (subjects) => {
    const eve = await subjects.eve();
    const atMost = { of: "ratio", atMost: 1.6 };
    const own = [
      ...(await floorRows(eve, "sequential step", WORKFLOWS.sequential, atMost, options)),
      await cpuRow(eve, options),
      ...(await lengthRows(eve, options)),
    ];
    const peer = await subjects.worldLocal();
    own.push(await peerRow(eve, peer, 20, 50, options));
    // The reference takes minutes for a run of 500 steps: one round says enough.
    if (!options.quick) own.push(await peerRow(eve, peer, 500, 800, { ...options, rounds: 1 }));
    return own;
  });
  const zod = await withSubjects({ ...options, zod: true }, async (subjects) => {
    const eve = await subjects.eve();
    return await floorRows(
      eve,
      "sequential step, body checks with zod",
      WORKFLOWS.checked,
      undefined,
      options,
    );
  });
  return [...rows, ...zod];
}
