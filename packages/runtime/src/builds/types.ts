import type { Manifest } from "./schema.js";
import type { ServerModule } from "./server-module.js";
import type { WorkflowBundle } from "../replay/index.js";

/** A build that can run: its body code compiled, its host code imported when the first step asks for it. */
export interface Build {
  readonly id: string;
  readonly manifest: Manifest;
  /** Body code, compiled once for all runs of this build. */
  readonly bundle: WorkflowBundle;
  /** Steps and definitions; imported at the first call. */
  server(): Promise<ServerModule>;
  /** Turns frames of the build's files into places of the author's files. */
  mapStack(stack: string): string;
  /** A text without the folders of this machine; see `hideFolders`. */
  withoutFolders(text: string): string;
  /** The author's place (`file:line:column`) of a position in the body code; undefined when it can't be told. */
  mapSite(site: string): string | undefined;
}

/** Where builds come from. */
export interface Builds {
  /** The build that new runs start on. */
  current(): Promise<Build>;
  /** A build that started a run earlier, if it is still kept. */
  find(buildId: string): Promise<Build | undefined>;
  /** Makes sure that a build stays available for the run that starts on it. True when it wasn't before. */
  keep(build: Build): Promise<boolean>;
  /** Lets go of kept builds that no run needs. */
  prune(inUse: readonly string[]): Promise<void>;
}
