import type { ModuleStore } from "../graph/module-store.js";
import type { PackageScan } from "../resolve/package-scan.js";
import type { Sdk } from "../resolve/sdk.js";

/** What all bundles of one build share. */
export interface BundleSession {
  root: string;
  /** Absolute folder that the output is published to; external packages must be reachable from it. */
  outDir: string;
  store: ModuleStore;
  scan: PackageScan;
  sdk: Sdk;
  /** Canonical name of a file. */
  nameOf: (file: string) => string;
  /** Names of packages that stay external in `server.mjs` whatever happens. */
  external: ReadonlySet<string>;
  minify: boolean;
  keepNames: boolean;
}
