import { isVirtual } from "../bundle/canonical.js";
import type { Metafile } from "../bundle/esbuild.js";
import type { ReportBundle, ReportModule } from "./report-data.js";

/** What a bundle consists of, and for each module the shortest way of imports that leads to it. */
export function contentsOf(
  name: string,
  code: string,
  metafile: Metafile,
  nameOf: (input: string) => string,
): ReportBundle {
  const parents = shortestWays(metafile);
  const sizes = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const modules = sizes
    .filter(([input, { bytesInOutput }]) => bytesInOutput > 0 && !isVirtual(input))
    .map(([input, { bytesInOutput: bytes }]): ReportModule => ({
      name: nameOf(input),
      bytes,
      chain: chainOf(input, parents, nameOf),
    }))
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1));
  return { name, bytes: Buffer.byteLength(code), modules };
}

type Parents = Map<string, { importer: string; specifier: string } | undefined>;

/** Breadth first from the entry, in the order of its imports. */
function shortestWays({ inputs, outputs }: Metafile): Parents {
  const parents: Parents = new Map();
  for (const { entryPoint } of Object.values(outputs))
    if (entryPoint !== undefined) parents.set(entryPoint, undefined);
  for (const importer of parents.keys()) {
    for (const { path: imported, original = imported, external } of inputs[importer]?.imports ?? []) {
      if (external !== true && !parents.has(imported))
        parents.set(imported, { importer, specifier: original });
    }
  }
  return parents;
}

function chainOf(input: string, parents: Parents, nameOf: (input: string) => string): ReportModule["chain"] {
  const chain: ReportModule["chain"] = [];
  for (let at = parents.get(input); at !== undefined; at = parents.get(at.importer)) {
    if (isVirtual(at.importer)) break;
    chain.unshift({ module: nameOf(at.importer), specifier: at.specifier });
  }
  return chain;
}
