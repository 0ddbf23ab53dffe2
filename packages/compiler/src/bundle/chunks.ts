import path from "node:path";
import type { Metafile, OutputFile } from "./esbuild.js";

/** Pattern of the names of shared chunks. */
export const CHUNK_NAMES = "chunk-[hash]";
const SHARED = /^chunk-[A-Z0-9]{8}$/;
const CHUNK = /\bchunk-[A-Z0-9]{8}(?=\.js")/g;

/** `import()` of a chunk, which packages may hold, and what does it in a script: a function with a name as long. */
const LOAD = /\bimport\("\.\/chunk-/g;
export const LOADER = "$$load";

/** A piece of the bundled code: an entry, or what several of them share. */
export interface Chunk {
  /** Name of the entry, or `chunk-` and a number in the order in which entries come to it. */
  name: string;
  /** The import statements that esbuild wrote at the beginning. */
  head: string;
  /** What lies between them and the list of exports at the end. */
  body: string;
  /** Source map of `head` and `body`, serialised. */
  map: string;
  imports: { chunk: string; names: Pair[] }[];
  /** Exported name and local name. */
  exports: Pair[];
  /** Holds code of modules, not just esbuild's own helpers. */
  holdsModules: boolean;
  /** All its modules are CommonJS, which isn't strict by itself. */
  isCommonJs: boolean;
  /** Its key in the metafile. */
  output: string;
}

/** A name on the side that is asked for, and the local one it stands for or gets. */
export type Pair = [name: string, local: string];

/**
 * Takes esbuild's output (ES modules that import each other) apart, beginning with these entries; chunks that no entry
 * comes to are left out. Names depend on nothing but the order of imports.
 */
export function readChunks(
  files: readonly OutputFile[],
  metafile: Metafile,
  workingDir: string,
  entries: readonly string[],
): Chunk[] {
  const texts = new Map(files.map((file) => [file.path, file.text]));
  const outputs = new Map<string, { file: string; output: string }>();
  for (const output of Object.keys(metafile.outputs)) {
    const file = path.resolve(workingDir, output);
    if (file.endsWith(".js")) outputs.set(path.basename(file, ".js"), { file, output });
  }
  const names = new Map<string, string>();
  const found: Chunk[] = [];
  const visit = (stem: string): void => {
    const known = outputs.get(stem);
    if (known === undefined || names.has(stem)) return;
    names.set(stem, SHARED.test(stem) ? `chunk-${String(names.size).padStart(8, "0")}` : stem);
    const text = texts.get(known.file) ?? "";
    const map = texts.get(`${known.file}.map`) ?? "";
    const chunk = {
      name: stem,
      map,
      ...divide(text),
      ...kindOf(known.output, metafile),
      output: known.output,
    };
    found.push(chunk);
    for (const [loaded] of text.matchAll(CHUNK)) visit(loaded);
  };
  for (const entry of entries) visit(entry);
  return found.map((chunk) => renamed(chunk, names));
}

/** Puts numbers of the same length in place of hashes, which depend on where the application lies. */
function renamed(chunk: Chunk, names: ReadonlyMap<string, string>): Chunk {
  const nameOf = (stem: string): string => names.get(stem) ?? stem;
  return {
    ...chunk,
    name: nameOf(chunk.name),
    head: chunk.head.replace(CHUNK, nameOf),
    body: chunk.body.replace(CHUNK, nameOf).replace(LOAD, () => `${LOADER}("./chunk-`),
    imports: chunk.imports.map((item) => ({ ...item, chunk: nameOf(item.chunk) })),
  };
}

function kindOf(output: string, metafile: Metafile): Pick<Chunk, "holdsModules" | "isCommonJs"> {
  const modules = Object.entries(metafile.outputs[output]?.inputs ?? {})
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([input]) => metafile.inputs[input]?.format);
  return {
    holdsModules: modules.length > 0,
    isCommonJs: modules.length > 0 && modules.every((format) => format === "cjs"),
  };
}

const IMPORT = /\s*import\s*(?:\{([^{}]*)\}\s*from\s*)?"\.\/([^"]+)\.js";/y;
const EXPORT = /(^|[;}\n])export\s*\{([^{}]*)\};?\s*$/;

/** esbuild writes all imports of a chunk at its beginning, and one list of exports at its end. */
function divide(text: string): Pick<Chunk, "head" | "body" | "imports" | "exports"> {
  const imports: Chunk["imports"] = [];
  let at = 0;
  for (;;) {
    IMPORT.lastIndex = at;
    const match = IMPORT.exec(text);
    if (match === null) break;
    imports.push({ chunk: match[2] ?? "", names: pairs(match[1] ?? "") });
    at = IMPORT.lastIndex;
  }
  const rest = text.slice(at);
  const exported = EXPORT.exec(rest);
  const body = exported === null ? rest : rest.slice(0, exported.index + (exported[1]?.length ?? 0));
  return {
    head: text.slice(0, at),
    body,
    imports,
    exports: pairs(exported?.[2] ?? "").map(([local, name]) => [name, local]),
  };
}

/** `a, b as c` → `[["a", "a"], ["b", "c"]]`. */
function pairs(text: string): Pair[] {
  const items = text.split(",").map((item) => item.trim());
  return items
    .filter((item) => item !== "")
    .map((item) => {
      const [first = "", second = first] = item.split(/\s+as\s+/);
      return [first, second];
    });
}
