import type { ManifestFunction } from "../manifest/manifest.js";
import type { Diagnostic, Mode } from "../types.js";

/** What the esbuild plugin takes. */
export interface EveOptions {
  /** `workflow` for the code of bodies, `step` for the code that runs on the host. */
  mode: Mode;
  /** App root, which ids are relative to. Default: `absWorkingDir`, else the current folder. */
  root?: string;
  /** Names of packages that stay external. It is an error if one of them holds directives. */
  external?: readonly string[];
  /** Gets all findings of a build, warnings too, when it ends. */
  onDiagnostics?: (diagnostics: Diagnostic[]) => void;
  /** Gets the workflows and steps of the modules that were compiled, when a build ends without errors. */
  manifest?: (functions: FunctionManifest) => void;
  /** Folder of the `eve` package, whose modules answer `workflow` and `eve/…`. Default: found from the root. */
  sdk?: { dir: string };
}

/** The functions with directives of one bundle, by id, sorted. */
export interface FunctionManifest {
  version: 1;
  workflows: Record<string, ManifestFunction>;
  steps: Record<string, ManifestFunction>;
}
