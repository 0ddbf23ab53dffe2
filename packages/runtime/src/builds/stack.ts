import { pathToFileURL } from "node:url";
import { originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";

export interface StackMapperOptions {
  /** Text of `workflow.cjs.map`. */
  workflowMap: string | undefined;
  /** Text of `server.mjs.map`. */
  serverMap: string | undefined;
  /** Absolute path that `server.mjs` is imported from. */
  serverFile: string;
}

/** Turns places of a build's files into places of the author's files. */
export interface StackMapper {
  /** A stack whose frames name the author's files; frames of the runtime and of Node are left out. */
  stack(stack: string): string;
  /** The first place of a call site (`line:column …`) that is in an author's file; undefined without a map. */
  site(site: string): string | undefined;
}

/** Name of the body code inside a replay context. */
const WORKFLOW_FILE = "eve:/workflow.cjs";
const FRAME = /^(\s+at )(?:(.*) \()?(.*?):(\d+):(\d+)\)?$/;
const PACKAGE = /^file:\/\/.*\/node_modules\/((?:@[^/]+\/)?[^/]+\/.*)$/;
/** Author's frames, as they come out of an earlier mapping. */
const MAPPED = /^(?!\/|[a-z]+:)[^:]+$/i;

/** A stack mapper of one build. Maps are parsed at the first stack: most builds never show one. */
export function createStackMapper(options: StackMapperOptions): StackMapper {
  const workflow = lazyMap(options.workflowMap);
  const server = lazyMap(options.serverMap);
  const serverUrl = pathToFileURL(options.serverFile).href;

  function place(file: string, line: number, column: number): string | undefined {
    if (file === WORKFLOW_FILE) return original(workflow(), line, column) ?? `workflow.cjs:${line}:${column}`;
    if (file === serverUrl) return original(server(), line, column) ?? `server.mjs:${line}:${column}`;
    const inPackage = PACKAGE.exec(file)?.[1];
    if (inPackage !== undefined && !inPackage.startsWith("@eve/")) return `${inPackage}:${line}:${column}`;
    return MAPPED.test(file) ? `${file}:${line}:${column}` : undefined;
  }

  function frame(text: string): string[] {
    const [, at = "", name, file = "", line, column] = FRAME.exec(text) ?? [];
    const mapped = place(file, Number(line), Number(column));
    if (mapped === undefined) return [];
    return [name === undefined || name === "" ? `${at}${mapped}` : `${at}${name} (${mapped})`];
  }

  return {
    stack(stack) {
      const lines = stack.split("\n");
      return lines.flatMap((line) => (/^\s+at /.test(line) ? frame(line) : [line])).join("\n");
    },
    site(site) {
      for (const one of site.split(" ")) {
        const [line, column] = one.split(":").map(Number);
        if (!line || column === undefined) continue;
        const mapped = original(workflow(), line, column);
        if (mapped !== undefined && isAuthors(mapped)) return mapped;
      }
      return undefined;
    },
  };
}

/** eve's own files and those of packages are named by package, not by path. */
const isAuthors = (place: string) => !place.startsWith("eve/") && !/^(?:@[^/]+\/)?[^/]+@[^/]+\//.test(place);

function lazyMap(text: string | undefined): () => TraceMap | undefined {
  let map: TraceMap | undefined;
  return () => (text === undefined ? undefined : (map ??= new TraceMap(text)));
}

function original(map: TraceMap | undefined, line: number, column: number): string | undefined {
  if (!map) return undefined;
  const found = originalPositionFor(map, { line, column: column - 1 });
  return found.source === null ? undefined : `${found.source}:${found.line}:${found.column + 1}`;
}
