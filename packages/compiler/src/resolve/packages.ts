import { readFileSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";

/** What the compiler reads of a `package.json`. */
export interface PackageInfo {
  /** Absolute folder. */
  dir: string;
  name: string;
  version: string;
  main?: string;
  module?: string;
  exports?: unknown;
}

/** Finds and remembers the package that owns a file. One instance serves one build. */
export class PackageIndex {
  readonly #owners = new Map<string, PackageInfo | undefined>();
  /** Every `package.json` that was read or looked for, for the cache's fingerprint. */
  readonly consulted = new Set<string>();

  /**
   * The nearest package at or above `dir` that has a name. A `package.json` without one (often only
   * `{"type":"module"}` in a subfolder) doesn't make a package of its own.
   */
  ofFolder(dir: string): PackageInfo | undefined {
    const known = this.#owners.get(dir);
    if (known !== undefined || this.#owners.has(dir)) return known;
    const parent = path.dirname(dir);
    const info = this.#read(dir) ?? (parent === dir ? undefined : this.ofFolder(parent));
    this.#owners.set(dir, info);
    return info;
  }

  /** The package that owns a file. */
  ofFile(file: string): PackageInfo | undefined {
    return this.ofFolder(path.dirname(file));
  }

  /**
   * Whether the package of a file lets bundlers drop modules that are imported for their effects only
   * (`"sideEffects": false`, or a list).
   */
  declaresNoEffects(file: string): boolean {
    for (let dir = path.dirname(file); ; dir = path.dirname(dir)) {
      const json = readJsonObject(path.join(dir, "package.json"));
      if (json !== undefined) return json["sideEffects"] === false || Array.isArray(json["sideEffects"]);
      if (dir === path.dirname(dir)) return false;
    }
  }

  #read(dir: string): PackageInfo | undefined {
    const file = path.join(dir, "package.json");
    this.consulted.add(file);
    const json = readJsonObject(file);
    if (typeof json?.["name"] !== "string" || json["name"] === "") return undefined;
    const text = (key: string): string | undefined =>
      typeof json[key] === "string" ? (json[key] as string) : undefined;
    const main = text("main");
    const module = text("module");
    return {
      dir,
      name: json["name"],
      version: text("version") ?? "0.0.0",
      ...(main === undefined ? {} : { main }),
      ...(module === undefined ? {} : { module }),
      ...(json["exports"] === undefined ? {} : { exports: json["exports"] }),
    };
  }
}

/** A JSON file that holds an object; `undefined` when it is missing or not readable as one. */
function readJsonObject(file: string): Record<string, unknown> | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined; // no package.json here, or none that can be read: the one above counts
  }
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // esbuild reports a broken package.json of a module it loads, with its place
  }
}
