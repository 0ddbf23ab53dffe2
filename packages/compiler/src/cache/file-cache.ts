import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { systemCode } from "../build/compiler-error.js";

/**
 * A table of JSON values in one file of `.eve/cache/`. Entries that this run didn't use are dropped when it is
 * saved. A file that is corrupt, or of another compiler version, counts as empty.
 */
export class FileCache<V> {
  readonly #file: string;
  readonly #stamp: string;
  #old: Record<string, unknown>;
  readonly #used = new Map<string, V>();
  #changed = false;

  /** `stamp` holds whatever makes old entries worthless: versions, options. */
  constructor(file: string, stamp: string) {
    this.#file = file;
    this.#stamp = sha256(stamp);
    this.#old = load(file, this.#stamp);
  }

  /** Whether there was anything to start from. */
  get filled(): boolean {
    return Object.keys(this.#old).length > 0;
  }

  get(key: string): V | undefined {
    const used = this.#used.get(key);
    if (used !== undefined) return used;
    const old = Object.hasOwn(this.#old, key) ? (this.#old[key] as V) : undefined;
    if (old !== undefined) this.#used.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    this.#used.set(key, value);
    this.#changed = true;
  }

  /** Writes the entries of this run, if they differ from what is stored. A cache that can't be written isn't kept. */
  save(): void {
    if (!this.#changed && this.#used.size === Object.keys(this.#old).length) return;
    const keys = [...this.#used.keys()].sort();
    this.#old = Object.fromEntries(keys.map((key) => [key, this.#used.get(key)]));
    this.#changed = false;
    const body = JSON.stringify(this.#old);
    const temporary = `${this.#file}.${process.pid}.tmp`;
    try {
      mkdirSync(path.dirname(this.#file), { recursive: true });
      writeFileSync(temporary, `${this.#stamp} ${sha256(body)}\n${body}`);
      renameSync(temporary, this.#file);
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      rmSync(temporary, { force: true }); // a full or read-only disk costs the next build some time, nothing else
    }
  }
}

function load(file: string, stamp: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return {};
  }
  const line = text.indexOf("\n");
  const body = text.slice(line + 1);
  // The checksum covers what parsing alone would let pass: a file cut short, or edited by hand.
  if (line === -1 || text.slice(0, line) !== `${stamp} ${sha256(body)}`) return {};
  return JSON.parse(body) as Record<string, unknown>;
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
