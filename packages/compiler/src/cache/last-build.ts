import { readFileSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";
import type { Manifest } from "../manifest/manifest.js";
import type { Diagnostic } from "../types.js";
import { FileCache } from "./file-cache.js";
import { isUnchanged, sha256, type Fingerprint } from "./fingerprint.js";

/** A finished build as the next one finds it again. */
export interface LastBuild {
  fingerprint: Fingerprint;
  /** Warnings; a build with errors isn't kept. */
  diagnostics: Diagnostic[];
  manifest: Manifest;
  buildId: string;
  /** sha256 of each published file. */
  outputs: Record<string, string>;
}

/** The last build with the same options; holds one entry. */
export class LastBuildCache {
  readonly #cache: FileCache<LastBuild>;

  /** `stamp` holds versions and options. */
  constructor(cacheDir: string, stamp: string) {
    this.#cache = new FileCache(path.join(cacheDir, "last-build.json"), stamp);
  }

  /** The last build, if neither what it read nor what it wrote has changed since. */
  find(root: string, outDir: string): LastBuild | undefined {
    const last = this.#cache.get("last");
    if (last === undefined) return undefined;
    const isIntact = Object.entries(last.outputs).every(
      ([name, hash]) => hashOf(path.join(outDir, name)) === hash,
    );
    return isIntact && isUnchanged(root, last.fingerprint) ? last : undefined;
  }

  keep(build: LastBuild): void {
    this.#cache.set("last", build);
    this.#cache.save();
  }
}

function hashOf(file: string): string | undefined {
  try {
    return sha256(readFileSync(file));
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
