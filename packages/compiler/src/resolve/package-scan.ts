import { readFileSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";
import { sourceExtension } from "../discovery/files.js";
import { resolveRelative } from "./relative.js";

const NODE_MODULES = `${path.sep}node_modules${path.sep}`;
/** Relative specifiers of imports, re-exports, `import()` and `require()`; more than those does no harm. */
const RELATIVE = /(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
/**
 * A published directive: compilers and minifiers print it as a statement of its own, with either quote. The same
 * words inside a message are not one.
 */
const DIRECTIVE = /[{;}\n]\s*["']use (?:step|workflow)["']\s*[;\r\n}]/;

/** The folder of the installed package that holds a file: the last `node_modules/<name>` of its path. */
export function installedPackageDir(file: string): string | undefined {
  const at = file.lastIndexOf(NODE_MODULES);
  if (at === -1) return undefined;
  const start = at + NODE_MODULES.length;
  const [first = "", second = ""] = file.slice(start).split(path.sep);
  const name = first.startsWith("@") ? path.join(first, second) : first;
  return file.slice(0, start) + name;
}

/**
 * Answers whether an installed package ships directives, by reading the files that an entry reaches inside
 * the package. One instance serves one build; answers are remembered per entry.
 */
export class PackageScan {
  readonly #packages = new Set<string>();
  readonly #entries = new Map<string, boolean>();
  readonly #root: string;

  /** `root` is the app root, which may lie inside a `node_modules` folder itself. */
  constructor(root: string) {
    this.#root = root + path.sep;
  }

  /** Whether a real path lies inside an installed package (as opposed to the application or its workspace). */
  isInstalled(file: string): boolean {
    const seen = file.startsWith(this.#root) ? file.slice(this.#root.length - 1) : file;
    return seen.includes(NODE_MODULES);
  }

  /** Marks a package as shipping directives, whatever its entries look like. */
  mark(packageDir: string): void {
    this.#packages.add(packageDir);
  }

  /** Whether the package that holds `entry` is compiled like application code. */
  ships(entry: string): boolean {
    const dir = this.isInstalled(entry) ? installedPackageDir(entry) : undefined;
    if (dir === undefined) return false;
    if (this.#packages.has(dir)) return true;
    let answer = this.#entries.get(entry);
    if (answer === undefined) {
      answer = reachesDirective(entry, dir);
      this.#entries.set(entry, answer);
      if (answer) this.mark(dir);
    }
    return answer;
  }
}

/** Whether a text may hold a published directive. */
export function holdsPublishedDirective(text: string): boolean {
  return DIRECTIVE.test(text);
}

function reachesDirective(entry: string, dir: string): boolean {
  return !filesWithDirectives(entry, dir).next().done;
}

/** Files with directives among those that an entry reaches by relative imports inside `dir`. */
export function* filesWithDirectives(entry: string, dir: string): Generator<string, void> {
  const seen = new Set([entry]);
  for (const file of seen) {
    const text = readSource(file);
    if (text === undefined) continue;
    if (holdsPublishedDirective(text)) yield file;
    for (const [, specifier = ""] of text.matchAll(RELATIVE)) {
      const target = resolveInPackage(specifier, path.dirname(file));
      if (target !== undefined && target.startsWith(dir + path.sep)) seen.add(target);
    }
  }
}

function resolveInPackage(specifier: string, dir: string): string | undefined {
  const found =
    resolveRelative(specifier, dir) ?? resolveRelative(`${specifier.replace(/\/$/, "")}/index`, dir);
  return found !== undefined && sourceExtension(path.basename(found)) !== undefined ? found : undefined;
}

function readSource(file: string): string | undefined {
  if (sourceExtension(path.basename(file)) === undefined) return undefined;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // esbuild reports it, if the file is really imported
  }
}
