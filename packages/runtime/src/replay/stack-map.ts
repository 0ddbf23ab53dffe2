import { originalPositionFor, TraceMap, type SourceMapInput } from "@jridgewell/trace-mapping";
import { BUNDLE_FILE } from "./bundle.js";
import type { CallSite } from "./protocol.js";

/** A place in an author's file, relative to the app root; 1-based. */
export interface AuthorPlace {
  file: string;
  line: number;
  column: number;
}

export interface StackMapper {
  /**
   * The stack as the author should read it: frames of the bundle point to the author's files, frames of eve's
   * own functions in the bundle and frames without a source are left out, all other lines stay.
   */
  mapStack(stack: string): string;
  /** The author's place of a call site. `undefined` when the map knows none. */
  mapSite(site: CallSite): AuthorPlace | undefined;
}

/** Sources that the build names `eve:…` are ours, not the author's. */
const isOwn = (file: string) => file.startsWith("eve:");

/**
 * Maps stacks of one bundle. The map is parsed at the first use, so keeping a mapper costs nothing.
 *
 * @param map source map (v3) of the bundle: its text, or parsed.
 * @param bundle how frames name the bundle; default the body's, `eve:/workflow.cjs`.
 * @example
 * createStackMapper(map).mapStack("Error: no\n    at main (eve:/workflow.cjs:3:9)");
 * // Error: no
 * //     at main (agent/tools/deploy.ts:10:5)
 */
export function createStackMapper(map: SourceMapInput, bundle: string = BUNDLE_FILE): StackMapper {
  const escaped = bundle.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const location = new RegExp(`${escaped}:(\\d+):(\\d+)`);
  let trace: TraceMap | undefined;

  function place(line: number, column: number): AuthorPlace | undefined {
    trace ??= new TraceMap(map);
    const found = originalPositionFor(trace, { line, column: column - 1 });
    if (found.source === null) return undefined;
    // As the build wrote it: relative to the app root already, so resolving it would only add a root.
    const file = found.source.replace(/^(?:\.\/)+/, "");
    return { file, line: found.line, column: found.column + 1 };
  }

  function mapLine(text: string): string | undefined {
    const [frame, line, column] = location.exec(text) ?? [];
    if (frame === undefined || !/^\s*at /.test(text)) return text;
    const author = place(Number(line), Number(column));
    if (!author || isOwn(author.file)) return undefined;
    return text.replace(frame, () => `${author.file}:${author.line}:${author.column}`);
  }

  return {
    mapStack: (stack) =>
      stack
        .split("\n")
        .map(mapLine)
        .filter((line) => line !== undefined)
        .join("\n"),

    mapSite(site) {
      for (const frame of site.split(" ")) {
        const [line, column] = frame.split(":").map(Number);
        if (!line || !column) continue;
        const author = place(line, column);
        if (author && !isOwn(author.file)) return author;
      }
      return undefined;
    },
  };
}
