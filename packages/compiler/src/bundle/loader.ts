import path from "node:path";
import type { Loader } from "esbuild";
import type { EmittedModule, SourceMapV3 } from "../types.js";

/** The esbuild loader for a source file, by extension. JSX in plain `.js` files is accepted. */
export function loaderOf(file: string): Loader {
  const extension = /\.([cm]?)([jt]sx?)$/.exec(file)?.[2];
  if (extension === "ts" || extension === "tsx" || extension === "jsx") return extension;
  return "js";
}

/** The text of the emitted module of `file` with its map inside, which esbuild composes with its own. */
export function withInlineMap({ code, map }: EmittedModule, file: string): string {
  // esbuild reads sources relative to the folder of the file.
  const inline = encode({ ...map, sources: [path.basename(file)] });
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`;
}

function encode(map: SourceMapV3): string {
  return Buffer.from(JSON.stringify(map)).toString("base64");
}
