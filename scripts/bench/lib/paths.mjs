import path from "node:path";
import { fileURLToPath } from "node:url";

const here = path.dirname(fileURLToPath(import.meta.url));

export const BENCH = path.dirname(here);
export const ROOT = path.resolve(BENCH, "..", "..");
export const PEERS = path.join(BENCH, "peers");
/** The command-line program, as users start it. */
export const EVE = path.join(ROOT, "bin", "eve.js");
/** A built module of a package: `dist("runtime", "index.js")`. */
export const dist = (name, file) => path.join(ROOT, "packages", name, "dist", file);
/** What `parts.mjs` bundles: below the packages, so that their dependencies are found. */
export const COMPILER_PARTS = dist("compiler", ".bench/parts.mjs");
export const REPLAY = dist("runtime", ".bench/replay.mjs");
