import type { Message, Metafile } from "./esbuild.js";

/** One finished bundle, with canonical names everywhere. */
export interface Bundle {
  code: string;
  /** Source map, serialised. */
  map: string;
  metafile: Metafile;
}

/** What a bundling run gave: a bundle, or esbuild's reasons why there is none. */
export type BundleOutcome =
  { bundle: Bundle; messages: Message[] } | { bundle?: undefined; messages: Message[] };
