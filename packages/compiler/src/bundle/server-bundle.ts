import path from "node:path";
import type { Resolve } from "../resolve/resolution.js";
import type { BundleOutcome } from "./bundle.js";
import { canonicalCode, canonicalMap, renamings } from "./canonical.js";
import { esbuild, type BuildOptions } from "./esbuild.js";
import { isBuildFailure } from "./messages.js";
import { INJECT, nodeGlobalsPlugin, requireBanner } from "./node-globals.js";
import type { BundleSession } from "./session.js";
import { SERVER_FILE, TARGET } from "./settings.js";
import { stepPlugin, type StepPluginOptions } from "./step-plugin.js";

const ENTRY = "eve-entry:server";

/** Options shared by everything that is bundled for Node.js. */
export function nodeOptions(session: BundleSession, entry: string, sourcefile: string): BuildOptions {
  return {
    absWorkingDir: session.root,
    stdin: { contents: entry, resolveDir: session.root, sourcefile, loader: "js" },
    bundle: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    target: TARGET,
    sourcesContent: true,
    legalComments: "inline",
    charset: "utf8",
    logLevel: "silent",
    inject: INJECT,
  };
}

/** Bundles steps and definitions: `entry` is the text of `serverEntry()`. */
export async function bundleServer(
  session: BundleSession,
  entry: string,
  resolve: Resolve,
  transform: StepPluginOptions["transform"],
): Promise<BundleOutcome> {
  const { root, outDir, nameOf, minify, keepNames } = session;
  try {
    const {
      outputFiles = [],
      metafile,
      warnings,
    } = await esbuild.build({
      ...nodeOptions(session, entry, ENTRY),
      outfile: path.join(outDir, SERVER_FILE),
      sourcemap: "linked",
      minify,
      keepNames,
      plugins: [nodeGlobalsPlugin, stepPlugin({ session, resolve, runsIn: outDir, transform })],
    });
    const text = (suffix: string): string =>
      outputFiles.find((file) => file.path.endsWith(suffix))?.text ?? "";
    if (metafile === undefined) throw new Error("esbuild gave no metafile");
    const code = canonicalCode(text(".mjs"), renamings(metafile, root, nameOf));
    const banner = requireBanner(code);
    return {
      bundle: {
        code: banner.text + code,
        map: canonicalMap(text(".map"), outDir, nameOf, banner.lines),
        metafile,
      },
      errors: [],
      warnings,
    };
  } catch (error) {
    if (!isBuildFailure(error)) throw error;
    return { errors: error.errors, warnings: error.warnings };
  }
}
