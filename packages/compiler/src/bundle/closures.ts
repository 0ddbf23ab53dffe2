import { canonicalCode } from "./canonical.js";
import { LOADER, type Chunk } from "./chunks.js";
import { esbuild } from "./esbuild.js";
import { joinMaps, type MapPart } from "./join-maps.js";
import { TARGET } from "./settings.js";

/** A chunk as a function of its own: `code` between lines of our making. */
interface Closure {
  head: string;
  code: string;
  tail: string;
  /** Of `code`, serialised. */
  map: string;
  skipped: MapPart["skipped"];
}

export interface ClosureOptions {
  minify: boolean;
  /** Paths that esbuild writes into code, and what to write instead. */
  rename: ReadonlyMap<string, string>;
  /** Canonical name of a source, as the maps of chunks name it. */
  sourceName: (source: string) => string;
}

/** Ids, and the closure that registers each when it is evaluated. */
export interface Registrations {
  workflows: readonly [id: string, closure: string][];
  classes: readonly [id: string, closure: string][];
}

/**
 * Writes `workflow.cjs`: every chunk becomes a function that is evaluated when a workflow is first called that needs
 * it, so that a run pays for nothing else.
 */
export async function writeClosures(
  chunks: readonly Chunk[],
  registrations: Registrations,
  options: ClosureOptions,
): Promise<{ code: string; map: string }> {
  const byName = new Map(chunks.map((chunk) => [chunk.name, chunk]));
  const closures = await Promise.all(
    chunks.map((chunk) => {
      // Bindings of modules change while these are evaluated; esbuild's own helpers don't.
      const isLive = chunk.imports.some((item) => byName.get(item.chunk)?.holdsModules === true);
      return isLive ? liveClosure(chunk, options) : plainClosure(chunk, options);
    }),
  );
  let code = loaderText(registrations);
  let line = lineBreaks(code);
  const parts: MapPart[] = [];
  for (const closure of closures) {
    const end = closure.code.endsWith("\n") ? "" : "\n";
    parts.push({ line: line + lineBreaks(closure.head), map: closure.map, skipped: closure.skipped });
    const text = closure.head + closure.code + end + closure.tail;
    code += text;
    line += lineBreaks(text);
  }
  return { code, map: joinMaps(parts, options.sourceName) };
}

/** The beginning of the file: tables of workflows and classes, and what loads closures. */
function loaderText({ workflows, classes }: Registrations): string {
  const rows = workflows.map(
    ([id, closure]) => `register(${JSON.stringify(id)}, ${JSON.stringify(keyOf(closure))});\n`,
  );
  if (classes.length > 0) rows.push(classTable(classes));
  return `const workflows = (globalThis.__private_workflows = new Map());
const closures = new Map();
const loaded = new Map();
function load(key) {
  let exports = loaded.get(key);
  if (exports === undefined) {
    const made = {};
    const give = (getters) => {
      for (const name in getters) Object.defineProperty(made, name, { get: getters[name], enumerable: true });
    };
    closures.get(key)(load, give, (later) => Promise.resolve().then(() => load(later)));
    loaded.set(key, (exports = made));
  }
  return exports;
}
function register(id, key) {
  const forward = (...args) => {
    load(key);
    return workflows.get(id)(...args);
  };
  forward.workflowId = id;
  workflows.set(id, forward);
}
${rows.join("")}`;
}

/** The registry of classes, which evaluates the module of a class when that is first asked for. */
function classTable(classes: Registrations["classes"]): string {
  const pairs = classes.map(
    ([id, closure]) => `  [${JSON.stringify(id)}, ${JSON.stringify(keyOf(closure))}],\n`,
  );
  return `const classes = new Map([
${pairs.join("")}]);
globalThis[Symbol.for("workflow-class-registry")] = new (class extends Map {
  get(id) {
    if (!this.has(id) && classes.has(id)) load(classes.get(id));
    return super.get(id);
  }
})();
`;
}

/** How code names a closure: as esbuild names the file of a chunk. */
function keyOf(chunk: string): string {
  return `./${chunk}.js`;
}

const LOAD = "__eveLoad";
const GIVE = "__eveGive";

function opening({ name, isCommonJs }: Chunk, load: string): string {
  const strict = isCommonJs ? "" : ' "use strict";';
  return `closures.set(${JSON.stringify(keyOf(name))}, (${load}, ${GIVE}, ${LOADER}) => {${strict}\n`;
}

/** Hands the exports of a chunk out, as they are whenever they are asked for. */
function giving({ exports }: Chunk): string {
  const getters = exports.map(([exported, local]) => `${exported}: () => ${local}`);
  return getters.length === 0 ? "" : `${GIVE}({ ${getters.join(", ")} });\n`;
}

/** A chunk that needs nothing that changes: what it imports becomes constants, its own text stays. */
function plainClosure(chunk: Chunk, { rename }: ClosureOptions): Closure {
  const imports = chunk.imports.map(({ chunk: from, names }) => {
    const pairs = names.map(([imported, local]) => (imported === local ? local : `${imported}: ${local}`));
    return `var { ${pairs.join(", ")} } = ${LOAD}(${JSON.stringify(keyOf(from))});\n`;
  });
  const lines = lineBreaks(chunk.head);
  return {
    head: opening(chunk, LOAD) + imports.join(""),
    code: canonicalCode(chunk.body, rename),
    tail: `${giving(chunk)}});\n`,
    map: chunk.map,
    skipped: { lines, columns: chunk.head.length - (chunk.head.lastIndexOf("\n") + 1) },
  };
}

/** A chunk that uses bindings of others: esbuild rewrites every use of them. */
async function liveClosure(chunk: Chunk, { minify, rename }: ClosureOptions): Promise<Closure> {
  const inline = Buffer.from(chunk.map).toString("base64");
  const text = `${chunk.head}${chunk.body}\n${giving(chunk)}//# sourceMappingURL=data:application/json;base64,${inline}\n`;
  const { code, map } = await esbuild.transform(text, {
    format: "cjs",
    platform: "neutral",
    target: TARGET,
    sourcemap: "external",
    sourcefile: chunk.name,
    legalComments: "inline",
    charset: "utf8",
    // Names are as short as they can be already.
    minifyWhitespace: minify,
  });
  return {
    head: opening(chunk, "require"),
    code: canonicalCode(code, rename),
    tail: "});\n",
    map,
    skipped: { lines: 0, columns: 0 },
  };
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
