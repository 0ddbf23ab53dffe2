import type { GraphModule, WorkflowGraph } from "../graph/workflow-graph.js";
import { CODE_FILE, isCompiled } from "../graph/targets.js";
import { classId, functionId, moduleId } from "../ids/index.js";
import { specifierFrom } from "../resolve/identity.js";
import type { PackageScan } from "../resolve/package-scan.js";
import type { Plugin } from "./esbuild.js";
import { exactly } from "./filter.js";

/** Prefix of the names of entries, and their namespace. */
const ENTRY = "eve-entry";

/** What the bundling of bodies starts from. */
export interface WorkflowEntries {
  /** Which entry's closure registers a workflow: rows of workflow id and entry name, sorted by id. */
  workflows: [id: string, entry: string][];
  /** Which entry's closure registers a class that can be written to the log, likewise. */
  classes: [id: string, entry: string][];
  /** Text of each entry, by its name. */
  texts: Map<string, string>;
  plugin: Plugin;
}

/**
 * Makes an entry for each module that holds workflows, or classes that values may be instances of. Further entries only steer how esbuild divides the code, and
 * their own text isn't published: one for each package file that bodies import, so that packages get closures of their
 * own, apart from the application's, and one for esbuild's helpers, so that these depend on nothing.
 */
export function workflowEntries(graph: WorkflowGraph, root: string, scan: PackageScan): WorkflowEntries {
  const names = new Map<string, string>();
  const texts = new Map<string, string>();
  const entriesOf = (idsOf: (module: GraphModule) => string[], stem: string): [string, string][] => {
    const rows = [...graph.modules.values()].flatMap((module) =>
      idsOf(module).map((id): [string, string] => [id, module.module.path]),
    );
    rows.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return rows.map(([id, file]) => {
      const name = names.get(file) ?? `${stem}${names.size}`;
      names.set(file, name);
      // esbuild evaluates what is required piece by piece, in the order of its imports, wherever it puts the code.
      texts.set(name, `require(${JSON.stringify(specifierFrom(root, file))});`);
      return [id, name];
    });
  };
  const workflows = entriesOf(workflowIds, "workflow");
  // An instance comes out of the log in a body that may never have used its class.
  const classes = entriesOf(classIds, "class");
  if (names.size > 0) {
    for (const [index, [file, members]] of packageFiles(graph, scan).entries())
      texts.set(`package${index}`, packageText(file, members));
    texts.set("helpers", 'require("eve-entry:module");\nrequire("eve-entry:commonjs");');
  }
  return { workflows, classes, texts, plugin: entriesPlugin(texts, root, ownFiles(graph)) };
}

function workflowIds({ module, slice }: GraphModule): string[] {
  return slice.workflows.flatMap((index) => {
    const fn = module.analysis.directives[index];
    return fn === undefined ? [] : [functionId("workflow", moduleId(module.identity), fn.name)];
  });
}

function classIds({ module, slice }: GraphModule): string[] {
  return module.analysis.classes
    .filter(({ unit }) => slice.units.includes(unit))
    .map(({ name }) => classId(moduleId(module.identity), name));
}

/** Files outside the compiler's care that bodies import, with the names they need, sorted. */
function packageFiles({ modules }: WorkflowGraph, scan: PackageScan): [file: string, names: Set<string>][] {
  const found = new Map<string, Set<string>>();
  for (const { edges } of modules.values()) {
    for (const { target, names } of edges.values()) {
      const isForeign = target.kind === "sdk" || (target.kind === "file" && !isCompiled(target.path, scan));
      if (!isForeign || modules.has(target.path) || !CODE_FILE.test(target.path)) continue;
      const known = found.get(target.path) ?? new Set();
      for (const name of names) known.add(name);
      found.set(target.path, known);
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Files of eve that bodies import. */
function ownFiles({ modules }: WorkflowGraph): Set<string> {
  const edges = [...modules.values()].flatMap((module) => [...module.edges.values()]);
  return new Set(edges.flatMap(({ target }) => (target.kind === "sdk" ? [target.path] : [])));
}

/** Uses of a package file what bodies use, and no more, so that as much is left out. */
function packageText(file: string, names: ReadonlySet<string>): string {
  const uses = names.has("*") ? ["it"] : [...names].sort().map((name) => `it[${JSON.stringify(name)}]`);
  return `import * as it from ${JSON.stringify(file)};\nglobalThis.used(${uses.join(", ")});`;
}

/** Small modules that need every helper that esbuild has for modules. */
const NEEDY = new Map([
  ["module", 'import * as it from "eve-entry:commonjs";\nexport const { used } = it;\nexport default it;'],
  ["commonjs", "exports.used = 1;"],
]);

function entriesPlugin(texts: ReadonlyMap<string, string>, root: string, own: ReadonlySet<string>): Plugin {
  return {
    name: ENTRY,
    setup(build) {
      build.onResolve({ filter: new RegExp(`^${ENTRY}:`) }, ({ path: name }) => ({
        path: name.slice(ENTRY.length + 1),
        namespace: ENTRY,
      }));
      if (own.size > 0) {
        // Modules get these from a plugin too, and so without a tsconfig. Else it would depend on who is first whether
        // esbuild compiles them by one.
        build.onResolve({ filter: exactly(own), namespace: ENTRY }, ({ path: file }) => ({ path: file }));
      }
      build.onLoad({ filter: /.*/, namespace: ENTRY }, ({ path: name }) => ({
        contents: texts.get(name) ?? NEEDY.get(name) ?? "",
        loader: "js",
        resolveDir: root,
      }));
    },
  };
}

/** The `entryPoints` option that goes with entries. */
export function entryPointsOf({ texts }: WorkflowEntries): { in: string; out: string }[] {
  return [...texts.keys()].map((name) => ({ in: `${ENTRY}:${name}`, out: name }));
}
