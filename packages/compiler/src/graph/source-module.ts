import type { ModuleIdentity } from "../ids/index.js";
import type { ModuleAnalysis } from "../types.js";

/** One source file as the compiler holds it during a build. */
export interface SourceModule {
  /** Absolute real path. */
  path: string;
  /** Path relative to the app root, as findings show it. */
  file: string;
  identity: ModuleIdentity;
  /** As on disk, byte order mark included. */
  text: string;
  analysis: ModuleAnalysis;
}
