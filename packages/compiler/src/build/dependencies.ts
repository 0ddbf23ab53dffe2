import path from "node:path";
import { isVirtual } from "../bundle/canonical.js";
import { configurationFiles } from "../cache/tsconfig-chain.js";
import type { Dependencies } from "../cache/fingerprint.js";
import { isSearchedFolder, listFolder } from "../discovery/files.js";
import { allAgents } from "../discovery/index.js";
import { LOCK_FILE } from "../ids-lock/lock-file.js";
import { packageOf } from "../resolve/installed.js";
import type { WorkflowGraph } from "../graph/workflow-graph.js";
import type { Bundles } from "./bundles.js";
import type { BuildContext } from "./context.js";

/** Everything on disk that the result of a compilation depends on. */
export function dependenciesOf(context: BuildContext, { graph, workflow, server }: Bundles): Dependencies {
  const { session, discovery } = context;
  const { root } = session;
  const files = new Set<string>([path.join(root, LOCK_FILE)]);
  const installed = new Set<string>();
  const packages = new Set<string>(["zod"]);
  const add = (file: string): void => {
    const isFixed = session.scan.isInstalled(file) || file.startsWith(session.sdk.dir + path.sep);
    (isFixed ? installed : files).add(file);
  };
  for (const metafile of [workflow.bundle?.metafile, server.bundle?.metafile]) {
    for (const [input, { imports }] of Object.entries(metafile?.inputs ?? {})) {
      if (!isVirtual(input)) add(path.resolve(root, input));
      for (const item of imports) {
        if (item.external && !item.path.startsWith("node:")) packages.add(packageOf(item.path));
        else if (item.original !== undefined && /^[^./]/.test(item.original))
          packages.add(packageOf(item.original));
      }
    }
  }
  for (const file of session.store.paths()) add(file);
  for (const { module } of graph.modules.values()) {
    for (const { specifier } of module.analysis.imports) {
      if (/^[^./]/.test(specifier)) packages.add(packageOf(specifier));
    }
  }
  for (const { instructions } of allAgents(discovery.agent))
    if (instructions !== undefined) files.add(instructions.file);
  for (const target of wantedFiles(graph)) files.add(target);
  const folders = new Set([...files].map((file) => path.dirname(file)));
  for (const dir of discoveredFolders(root, discovery.agent.dir)) folders.add(dir);
  for (const file of configurationFiles(folders)) files.add(file);
  return { files, installed, folders, packages };
}

/** Where relative imports that lead nowhere point: making a file there would mend them. */
function wantedFiles(graph: WorkflowGraph): string[] {
  return [...graph.modules.values()].flatMap(({ module, edges }) =>
    [...edges.values()].flatMap(({ index, target }) => {
      const specifier = module.analysis.imports[index]?.specifier ?? "";
      const isWanted = target.kind === "unresolved" && /^\.\.?\//.test(specifier);
      return isWanted ? [path.resolve(path.dirname(module.path), specifier)] : [];
    }),
  );
}

/** Folders whose names decide what discovery finds. */
function discoveredFolders(root: string, agentDir: string): string[] {
  const found = [root, agentDir];
  const walk = (dir: string): void => {
    for (const { name, folder } of listFolder(dir)) {
      if (!folder || !isSearchedFolder(name)) continue;
      const below = path.join(dir, name);
      found.push(below);
      walk(below);
    }
  };
  for (const name of ["tools", "channels", "schedules", "subagents"]) {
    found.push(path.join(agentDir, name));
    walk(path.join(agentDir, name));
  }
  return found;
}
