import * as esbuild from "esbuild";

/** The one place through which the compiler reaches esbuild. */
export { esbuild };
export type {
  BuildOptions,
  BuildResult,
  Message,
  Metafile,
  OnLoadArgs,
  OnLoadResult,
  OnResolveArgs,
  OnResolveResult,
  OutputFile,
  PartialMessage,
  Plugin,
  PluginBuild,
} from "esbuild";
