import path from "node:path";
import { remote } from "./lib/child.mjs";
import { bundleReplay } from "./lib/parts.mjs";
import { BENCH } from "./lib/paths.mjs";
import { row } from "./lib/rows.mjs";
import { interleave } from "./lib/stats.mjs";

export const title = "the replay context alone: creation, memory, one operation";

const BARE = "a bare vm context";

async function contextRows(realm, { rounds, log }) {
  log("creation and memory");
  const ms = await interleave(
    { bare: () => realm.call("createMs", "bare"), body: () => realm.call("createMs", "body") },
    { rounds, warmUp: true },
  );
  const kb = await interleave(
    { bare: () => realm.call("heapKb", "bare"), parked: () => realm.call("heapKb", "parked") },
    { rounds },
  );
  return [
    row({ work: "create a body", unit: "ms", samples: ms.body, reference: { name: BARE, samples: ms.bare } }),
    row({
      work: "heap of a hot parked run",
      unit: "KB",
      samples: kb.parked,
      reference: { name: BARE, samples: kb.bare },
    }),
  ];
}

/** Live, and while replaying, when nothing is captured for the console and for call sites. */
async function operationRow(realm, workflow, count, { rounds }) {
  const { live, replayed } = await interleave(
    {
      live: () => realm.call("perOperation", workflow, count, false),
      replayed: () => realm.call("perOperation", workflow, count, true),
    },
    { rounds, warmUp: true },
  );
  const work = `operation replayed, ${count.toLocaleString("en-US")} ${workflow}`;
  return row({ work, unit: "µs", samples: replayed, reference: { name: "live", samples: live } });
}

export async function run(options) {
  await bundleReplay();
  const realm = await remote(path.join(BENCH, "children", "realm.mjs"), { execArgv: ["--expose-gc"] });
  try {
    const rows = await contextRows(realm, options);
    options.log("operations");
    for (const [workflow, count] of [
      ["sequential", 100],
      ["sequential", 10_000],
      ["parallel", 10_000],
      ["objects", 10_000],
    ]) {
      rows.push(await operationRow(realm, workflow, count, options));
    }
    return rows;
  } finally {
    await realm.close();
  }
}
