import { getTsconfig } from "get-tsconfig";
import path from "node:path";
import type { TransformOptions } from "esbuild";
import { esbuild, type OnLoadResult } from "./esbuild.js";

/** Compiles a loaded module by the tsconfig that owns its file, as esbuild does for files it finds itself. */
export async function withTsconfig(loaded: OnLoadResult, file: string): Promise<OnLoadResult> {
  if (typeof loaded.contents !== "string" || !/x$|ts$/.test(file)) return loaded;
  const dir = path.dirname(file);
  const config = (getTsconfig(dir) ?? getTsconfig(dir, "jsconfig.json"))?.config;
  if (config === undefined) return loaded;
  const { code } = await esbuild.transform(loaded.contents, {
    loader: loaded.loader ?? "ts",
    sourcefile: file,
    sourcemap: "inline",
    tsconfigRaw: { compilerOptions: config.compilerOptions } as NonNullable<TransformOptions["tsconfigRaw"]>,
  });
  return { contents: code, loader: "js" };
}
