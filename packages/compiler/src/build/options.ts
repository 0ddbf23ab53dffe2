import path from "node:path";
import { CompilerError, shownPath } from "./compiler-error.js";

/** What `check` takes. Paths are absolute or relative to the current folder. */
export interface CheckOptions {
  /** App root; see `findRoot`. */
  root: string;
  /** Output folder, relative to `root`. Default: `.eve/output`. */
  out?: string;
  /** Package names that stay external in the server bundle, even if the output folder can't reach them. */
  external?: readonly string[];
  /** Keep and use `.eve/cache/`. Default: yes. */
  cache?: boolean;
  /** Evaluate tool modules for their descriptions and schemas. Default: yes. */
  evaluate?: boolean;
  /** Ids that left `eve.ids.json` are errors (EVE1104). Default: no. */
  frozenIds?: boolean;
  /** Folder of the `eve` package. Default: the app's own, else the one beside the compiler. */
  sdk?: { dir: string };
}

/** What only `check` takes besides. Paths are absolute, or relative to `root`. */
export interface BaselineOptions {
  /** File with known findings, which are left out. */
  baseline?: string;
  /** File to write the findings of this check to, as a baseline. */
  writeBaseline?: string;
}

/** What `build` takes. */
export interface BuildOptions extends CheckOptions {
  minify?: boolean;
  /** Keep `Function.prototype.name` when names are shortened. */
  keepNames?: boolean;
  /** Write `.eve/report/index.html` and `report.json`: what the bundles hold and why. */
  report?: boolean;
}

/** Options with every default filled in; all paths absolute. */
export interface ResolvedOptions {
  root: string;
  outDir: string;
  cacheDir: string;
  external: readonly string[];
  cache: boolean;
  evaluate: boolean;
  frozenIds: boolean;
  minify: boolean;
  keepNames: boolean;
  /** Absolute folder to write the report to; absent without one. */
  reportDir: string | undefined;
  sdkDir: string | undefined;
}

const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i;

/**
 * Fills in defaults.
 * @throws CompilerError `BAD_OPTION`
 */
export function resolveOptions(options: BuildOptions): ResolvedOptions {
  const root = path.resolve(options.root);
  const outDir = path.resolve(root, options.out ?? path.join(".eve", "output"));
  const external = options.external ?? [];
  for (const name of external) {
    if (PACKAGE_NAME.test(name)) continue;
    throw new CompilerError("BAD_OPTION", `"${name}" is no package name, so it can't be external.`, {
      help: "Name whole packages: --external sharp --external @scope/name",
    });
  }
  if (outDir === root || root.startsWith(outDir + path.sep)) {
    throw new CompilerError(
      "BAD_OPTION",
      `The output folder ${shownPath(outDir)} holds the application itself.`,
      {
        help: "Choose a folder of its own, such as .eve/output.",
      },
    );
  }
  return {
    root,
    outDir,
    cacheDir: path.join(root, ".eve", "cache"),
    external,
    cache: options.cache ?? true,
    evaluate: options.evaluate ?? true,
    frozenIds: options.frozenIds ?? false,
    minify: options.minify ?? false,
    keepNames: options.keepNames ?? false,
    reportDir: options.report === true ? path.join(root, ".eve", "report") : undefined,
    sdkDir: options.sdk?.dir === undefined ? undefined : path.resolve(options.sdk.dir),
  };
}
