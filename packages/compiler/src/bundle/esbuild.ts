import { createRequire } from "node:module";
import type * as Esbuild from "esbuild";

/**
 * The one place through which the compiler reaches esbuild. By `require`: an `import` of CommonJS makes Node scan it for
 * export names first, which takes twice as long as running it.
 */
export const esbuild = createRequire(import.meta.url)("esbuild") as typeof Esbuild;
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
