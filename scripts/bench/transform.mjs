import path from "node:path";
import { pathToFileURL } from "node:url";
import { directiveModules } from "./apps.mjs";
import { wallMs } from "./lib/child.mjs";
import { bundleCompilerParts } from "./lib/parts.mjs";
import { BENCH, COMPILER_PARTS } from "./lib/paths.mjs";
import { importPeer, resolvePeer } from "./lib/peers.mjs";
import { row } from "./lib/rows.mjs";
import { interleave, median, timed } from "./lib/stats.mjs";
import { eveTransform, swcTransforms } from "./lib/transforms.mjs";

export const title = "a module with directives, for both bundles, against @swc/core + @workflow/swc-plugin";

const SWC = "SWC + plugin";
const COUNT = 100;
const ONE = path.join(BENCH, "children", "transform-one.mjs");

/** Every text a transform gives must be about the module: a transform that does nothing is not fast. */
function assertTransformed(transform, modules) {
  for (const module of modules.slice(0, 5)) {
    for (const text of transform(module)) {
      if (!text.includes("workflowId")) throw new Error(`${module.file} was not transformed:\n${text}`);
    }
  }
}

export async function run({ rounds, log }) {
  const modules = directiveModules(COUNT);
  await bundleCompilerParts();
  const eve = eveTransform(await import(pathToFileURL(COMPILER_PARTS).href));
  assertTransformed(eve, modules);
  const { default: swc } = await importPeer("@swc/core", log);
  const theirs = swcTransforms(swc, resolvePeer("@workflow/swc-plugin"));
  const perModule = (work) => async () => (await timed(work)) / COUNT;
  log(`${COUNT} modules`);
  const samples = await interleave(
    {
      eve: perModule(() => modules.forEach(eve)),
      sync: perModule(() => theirs.sync(modules)),
      async: perModule(() => theirs.async(modules)),
    },
    { rounds: rounds * 3, warmUp: true },
  );
  const [faster, other] =
    median(samples.sync) <= median(samples.async) ? ["sync", "async"] : ["async", "sync"];
  log("one module, whole process");
  const whole = await interleave(
    { eve: () => wallMs([ONE, "eve"]), swc: () => wallMs([ONE, "swc"]), node: () => wallMs(["-e", "0"]) },
    { rounds, warmUp: true },
  );
  return [
    row({
      work: "one of 100 modules, both modes",
      unit: "ms",
      samples: samples.eve,
      reference: { name: `${SWC}, ${faster}`, samples: samples[faster] },
      reach: { of: "ratio", atMost: 1 },
    }),
    row({
      work: "the same",
      unit: "ms",
      samples: samples.eve,
      reference: { name: `${SWC}, ${other}`, samples: samples[other] },
    }),
    row({
      work: "one module in a process of its own",
      unit: "ms",
      samples: whole.eve,
      reference: { name: SWC, samples: whole.swc },
    }),
    row({ work: "an empty Node, for scale", unit: "ms", samples: whole.node }),
  ];
}
