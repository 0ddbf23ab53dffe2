import type { Message, Metafile } from "./esbuild.js";

/** One finished bundle, with canonical names everywhere. */
export interface Bundle {
  code: string;
  /** Source map, serialised. */
  map: string;
  metafile: Metafile;
}

/** What a bundling run gave: a bundle, or esbuild's reasons why there is none; what it warns of in either case. */
export interface BundleOutcome {
  bundle?: Bundle;
  errors: Message[];
  warnings: Message[];
}
