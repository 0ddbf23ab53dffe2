import path from "node:path";
import type { Metafile, OnResolveArgs, OnResolveResult, PluginBuild } from "./esbuild.js";

/**
 * What must not reach a body is replaced by a stub per importer: whether it survives tree shaking shows
 * in the metafile, so that only imports that are really used become findings.
 */
export type StubKind = "builtin" | "host-api" | "unresolved";

/** A stub that is still in the bundle. `importer` is absolute; `""` for a virtual module. */
export interface StubUse {
  kind: StubKind;
  specifier: string;
  importer: string;
}

const NAMESPACE = "eve-stub";

/** Stands for the first character of a specifier that leads nowhere; no author's specifier starts with it. */
export const LOST = "\uE000";

/** The resolution that puts a stub in place of an import. */
export function stubFor(
  kind: StubKind,
  args: Pick<OnResolveArgs, "path" | "importer" | "namespace">,
): OnResolveResult {
  const importer = args.namespace === "file" || args.namespace === "" ? args.importer : "";
  return { path: encode({ kind, specifier: args.path, importer }), namespace: NAMESPACE, sideEffects: false };
}

/** Loads stubs as CommonJS, so that any name can be imported from them; answers imports that are marked as lost. */
export function loadStubs(build: PluginBuild): void {
  build.onResolve({ filter: new RegExp(`^${LOST}`) }, (args) => stubFor("unresolved", args));
  build.onLoad({ filter: /.*/, namespace: NAMESPACE }, () => ({
    contents: "module.exports = {};",
    loader: "js",
  }));
}

/** Stubs that have bytes in an output, sorted. */
export function survivingStubs(metafile: Metafile): StubUse[] {
  const found = new Set<string>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [input, { bytesInOutput }] of Object.entries(output.inputs)) {
      if (bytesInOutput > 0 && input.startsWith(`${NAMESPACE}:`))
        found.add(input.slice(NAMESPACE.length + 1));
    }
  }
  return [...found].sort().map(decode);
}

function encode(use: StubUse): string {
  return [use.kind, encodeURIComponent(use.specifier), encodeURIComponent(use.importer)].join("|");
}

function decode(text: string): StubUse {
  const [kind = "", specifier = "", importer = ""] = text.split("|");
  return {
    kind: kind as StubKind,
    specifier: decodeURIComponent(specifier),
    importer: path.normalize(decodeURIComponent(importer)),
  };
}
