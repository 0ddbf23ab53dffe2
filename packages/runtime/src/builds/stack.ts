import { pathToFileURL } from "node:url";
import { createStackMapper } from "../replay/index.js";

export interface BuildStacksOptions {
  /** Text of `workflow.cjs.map`. */
  workflowMap: string | undefined;
  /** Text of `server.mjs.map`. */
  serverMap: string | undefined;
  /** Absolute path that `server.mjs` is imported from. */
  serverFile: string;
}

/** Turns places of a build's files into places of the author's files. */
export interface BuildStacks {
  /** A stack whose frames name the author's files; frames of the runtime and of Node are left out. */
  stack(stack: string): string;
  /** The author's place (`file:line:column`) of a call site; undefined when it can't be told. */
  site(site: string): string | undefined;
}

/** A frame of an installed package: named by package, without the folder it lies in. */
const PACKAGE_FRAME = /file:\/\/\S*\/node_modules\/((?:@[^/]+\/)?[^/]+\/\S*)/;
/** Frames of Node, of the runtime and of whatever else lies at an absolute path. */
const FOREIGN_FRAME =
  /^\s+at (?:async )?(?:.* \()?(?:node:|file:|eve:|\/|[A-Za-z]:\\|evalmachine\.<|<anonymous>|native\)?$)/;

/** The mappers of one build. Maps are parsed at the first stack: most builds never show one. */
export function createBuildStacks({ workflowMap, serverMap, serverFile }: BuildStacksOptions): BuildStacks {
  const workflow = workflowMap === undefined ? undefined : createStackMapper(workflowMap);
  const server =
    serverMap === undefined ? undefined : createStackMapper(serverMap, pathToFileURL(serverFile).href);

  function packageFrame(line: string): string {
    const [, place] = PACKAGE_FRAME.exec(line) ?? [];
    return place === undefined || place.startsWith("@eve/") ? line : line.replace(PACKAGE_FRAME, () => place);
  }

  return {
    stack(stack) {
      const bodies = workflow ? workflow.mapStack(stack) : stack;
      const mapped = server ? server.mapStack(bodies) : bodies;
      return mapped
        .split("\n")
        .map((line) => (/^\s+at /.test(line) ? packageFrame(line) : line))
        .filter((line) => !FOREIGN_FRAME.test(line))
        .join("\n");
    },
    site(site) {
      const place = workflow?.mapSite(site);
      return place && `${place.file}:${place.line}:${place.column}`;
    },
  };
}
