import { cp, mkdir, readdir, rm, stat, symlink, writeFile, readFile } from "node:fs/promises";
import path from "node:path";
import { plainApp, workflowApp } from "./apps.mjs";
import { peakMb, wallMs } from "./lib/child.mjs";
import { BENCH, EVE, ROOT } from "./lib/paths.mjs";
import { row } from "./lib/rows.mjs";
import { interleave } from "./lib/stats.mjs";
import { withFolder } from "./lib/temp.mjs";

export const title = "eve build, whole process, against esbuild alone on the same entry points";

const PLAIN = path.join(BENCH, "children", "plain-esbuild.mjs");
const ESBUILD = "esbuild alone";

const output = (dir) => path.join(dir, ".eve", "output");

/** `.eve` holds cache and output: without it a build is the first one. */
async function coldBuild(dir, ...flags) {
  await rm(path.join(dir, ".eve"), { recursive: true, force: true });
  return await wallMs([EVE, "build", dir, ...flags]);
}

const warmBuild = (dir) => wallMs([EVE, "build", dir]);

async function plainBuild(dir, modules, bundles = "both") {
  const out = path.join(dir, "plain");
  await rm(out, { recursive: true, force: true });
  return await wallMs([PLAIN, bundles, dir, out, ...modules]);
}

/** A build after one tool was edited: the text differs in every round. */
async function editedBuild(dir, module, round) {
  const file = path.join(dir, module);
  const source = (await readFile(file, "utf8")).replace(/const size = \d+;/, `const size = ${100 + round};`);
  await writeFile(file, source);
  return await warmBuild(dir);
}

async function outputKb(dir) {
  const files = (await readdir(output(dir))).filter((file) => !file.endsWith(".map"));
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(output(dir), file))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1000;
}

async function peaks(args, rounds) {
  const samples = [];
  for (let round = 0; round < rounds; round += 1) samples.push(await peakMb(args()));
  return samples;
}

/** The deploy example in a folder of its own, so that the one in the repository stays as it is. */
async function example(dir) {
  await cp(path.join(ROOT, "fixtures", "deploy-agent"), dir, {
    recursive: true,
    filter: (file) => !/[\\/](\.eve|node_modules)$/.test(file),
  });
  await mkdir(path.join(dir, "node_modules"), { recursive: true });
  await symlink(path.join(ROOT, "node_modules", "zod"), path.join(dir, "node_modules", "zod"), "dir");
}

async function deployRows(dir, { rounds, log }) {
  log("deploy example");
  await example(dir);
  const { cold, warm, node } = await interleave(
    { cold: () => coldBuild(dir), warm: () => warmBuild(dir), node: () => wallMs(["-e", "0"]) },
    { rounds, warmUp: true },
  );
  const memory = await peaks(() => [EVE, "build", dir, "--no-cache"], Math.min(rounds, 3));
  return [
    row({
      work: "deploy example, cold",
      unit: "ms",
      samples: cold,
      reference: { name: "an empty Node", samples: node },
      reach: { of: "median", atMost: 600 },
    }),
    row({ work: "deploy example, nothing changed", unit: "ms", samples: warm }),
    ...(memory[0] === undefined
      ? []
      : [
          row({
            work: "deploy example, peak memory of all its processes",
            unit: "MB",
            samples: memory,
            reach: { of: "median", atMost: 200 },
          }),
        ]),
    row({
      work: "deploy example, output without maps",
      unit: "KB",
      samples: [await outputKb(dir)],
      reach: { of: "median", atMost: 1000 },
    }),
  ];
}

async function workflowRows(dir, { rounds, log }) {
  log("50 tools, 250 modules");
  const { tools } = await workflowApp(dir, { tools: 50, modules: 250 });
  let edits = 0;
  const samples = await interleave(
    {
      plain: () => plainBuild(dir, tools),
      static: () => coldBuild(dir, "--no-evaluate"),
      cold: () => coldBuild(dir),
      warm: () => warmBuild(dir),
      edited: () => editedBuild(dir, tools[0], (edits += 1)),
    },
    { rounds, warmUp: true },
  );
  const reference = { name: ESBUILD, samples: samples.plain };
  const memory = await peaks(() => [EVE, "build", dir, "--no-cache"], Math.min(rounds, 3));
  return [
    row({
      work: "50 tools, 250 modules, cold",
      unit: "ms",
      samples: samples.cold,
      reference,
      reach: { of: "ratio", atMost: 3 },
    }),
    row({
      work: "50 tools, 250 modules, cold, --no-evaluate",
      unit: "ms",
      samples: samples.static,
      reference,
    }),
    row({
      work: "50 tools, 250 modules, warm",
      unit: "ms",
      samples: samples.warm,
      reach: { of: "median", atMost: 350 },
    }),
    row({ work: "50 tools, 250 modules, warm, one tool edited", unit: "ms", samples: samples.edited }),
    ...(memory[0] === undefined
      ? []
      : [row({ work: "50 tools, 250 modules, peak memory", unit: "MB", samples: memory })]),
  ];
}

async function plainRows(dir, { rounds, log }) {
  log("1,000 modules without directives");
  const { tools } = await plainApp(dir, { modules: 1000 });
  const { plain, server, cold } = await interleave(
    {
      plain: () => plainBuild(dir, tools),
      server: () => plainBuild(dir, tools, "server"),
      cold: () => coldBuild(dir),
    },
    { rounds, warmUp: true },
  );
  return [
    row({
      work: "1,000 modules without directives, cold",
      unit: "ms",
      samples: cold,
      reference: { name: ESBUILD, samples: plain },
      reach: { of: "ratio", atMost: 1.4 },
    }),
    // Without a workflow there is nothing to put into the other bundle, which esbuild can't know.
    row({
      work: "the same",
      unit: "ms",
      samples: cold,
      reference: { name: `${ESBUILD}, server bundle only`, samples: server },
    }),
  ];
}

export async function run(options) {
  const rows = [];
  for (const part of [deployRows, workflowRows, plainRows]) {
    rows.push(...(await withFolder((dir) => part(dir, options))));
  }
  return rows;
}
