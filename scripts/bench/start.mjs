import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { pathToFileURL } from "node:url";
import { WORKFLOWS } from "./lib/app.mjs";
import { BENCH, dist, PEERS } from "./lib/paths.mjs";
import { installed, resolvePeer } from "./lib/peers.mjs";
import { row } from "./lib/rows.mjs";
import { interleave } from "./lib/stats.mjs";
import { WORLD_LOCAL, withSubjects } from "./lib/subjects.mjs";

export const title = "from nothing to the first step";

const execNode = promisify(execFile);

async function importMs(files) {
  const urls = files.map((file) => pathToFileURL(file).href);
  const { stdout } = await execNode(process.execPath, [
    path.join(BENCH, "children", "import-time.mjs"),
    ...urls,
  ]);
  return Number(stdout);
}

async function importRow({ rounds, log }) {
  log("import of the runtime");
  await installed(PEERS, log);
  const own = [dist("runtime", "index.js")];
  const theirs = [resolvePeer("@workflow/core/runtime"), resolvePeer("@workflow/world-local")];
  const samples = await interleave(
    { own: () => importMs(own), theirs: () => importMs(theirs) },
    { rounds, warmUp: true },
  );
  return row({
    work: "import of the runtime",
    unit: "ms",
    samples: samples.own,
    reference: { name: WORLD_LOCAL, samples: samples.theirs },
    reach: { of: "median", atMost: 120 },
  });
}

/** Starts of a process whose code V8 hasn't optimised yet. */
const EARLY = 20;

/** `start` is called; when does the body of the first step run? */
async function latencyRows({ rounds, quick, log }) {
  return await withSubjects({ log }, async (subjects) => {
    const [eve, peer] = [await subjects.eve(), await subjects.worldLocal()];
    log("start of a run");
    const latency = (subject) => () => subject.call("startLatency", WORKFLOWS.firstStep);
    const cold = { eve: await latency(eve)(), peer: await latency(peer)() };
    // A server has compiled its hot code: the first starts of a process are a figure of their own.
    const early = await interleave({ eve: latency(eve), peer: latency(peer) }, { rounds: quick ? 1 : EARLY });
    if (!quick) await interleave({ eve: latency(eve) }, { rounds: 200 });
    const warm = await interleave({ eve: latency(eve), peer: latency(peer) }, { rounds: rounds * 6 });
    const reference = (samples) => ({ name: WORLD_LOCAL, samples });
    return [
      row({
        work: "start of a run to its first step",
        unit: "ms",
        samples: warm.eve,
        reference: reference(warm.peer),
        reach: { of: "median", atMost: 2 },
      }),
      row({
        work: `the same, the first ${EARLY} of the process`,
        unit: "ms",
        samples: early.eve,
        reference: reference(early.peer),
      }),
      row({
        work: "the same, the very first (loads the build)",
        unit: "ms",
        samples: [cold.eve],
        reference: reference([cold.peer]),
      }),
    ];
  });
}

/** A body without packages, in an application of which another body holds zod: it shouldn't pay for that. */
async function neighbourRow({ rounds, log }) {
  const latencies = (zod) =>
    withSubjects({ log, zod }, async (subjects) => {
      const eve = await subjects.eve();
      const { eve: samples } = await interleave(
        { eve: () => eve.call("startLatency", WORKFLOWS.firstStep) },
        { rounds: rounds * 4, warmUp: true },
      );
      return samples;
    });
  return row({
    work: "start to first step beside a workflow that holds zod",
    unit: "ms",
    samples: await latencies(true),
    reference: { name: "without such a workflow", samples: await latencies(false) },
  });
}

export async function run(options) {
  return [...(await latencyRows(options)), await neighbourRow(options), await importRow(options)];
}
