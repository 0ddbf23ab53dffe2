import { createHash } from "node:crypto";

/** `build.json`: says which build the files beside it are of. Published last. */
export interface BuildInfo {
  version: 1;
  /** Hash of what executes: bundles and manifest, version of eve, options. Maps don't count. */
  buildId: string;
  eve: string;
  options: { minify: boolean; keepNames: boolean };
  /** sha256 of the files that must belong together, hex. */
  files: Record<string, string>;
}

/** Describes a build by its texts. */
export function buildInfo(
  texts: Readonly<Record<string, string>>,
  eve: string,
  options: BuildInfo["options"],
): BuildInfo {
  const names = Object.keys(texts).sort();
  const files = Object.fromEntries(names.map((name) => [name, sha256(texts[name] ?? "")]));
  const buildId = sha256(JSON.stringify([eve, options.minify, options.keepNames, files])).slice(0, 32);
  return { version: 1, buildId, eve, options, files };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
