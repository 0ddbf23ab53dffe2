import type { Loader } from "esbuild";
import type { EmittedModule, SourceMapV3 } from "../types.js";

/** The esbuild loader for a source file, by extension. JSX in plain `.js` files is accepted. */
export function loaderOf(file: string): Loader {
  const extension = /\.([cm]?)([jt]sx?)$/.exec(file)?.[2];
  if (extension === "ts" || extension === "tsx" || extension === "jsx") return extension;
  return "js";
}

/** The text of an emitted module with its map inside, which esbuild composes with its own. */
export function withInlineMap(emitted: EmittedModule): string {
  return `${emitted.code}\n//# sourceMappingURL=data:application/json;base64,${encode(emitted.map)}\n`;
}

function encode(map: SourceMapV3): string {
  return Buffer.from(JSON.stringify(map)).toString("base64");
}
