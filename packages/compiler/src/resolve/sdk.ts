import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { CompilerError, shownPath, systemCode } from "../build/compiler-error.js";
import type { Mode } from "../types.js";

/** Specifiers that eve answers itself, whatever the application has installed. */
export const SDK_FILTER = /^(?:(?:workflow|eve)(?:\/.*)?|@workflow\/serde)$/;

/** The modules of the `eve` package that are bundled into outputs. */
export interface Sdk {
  /** Absolute real folder of the package. */
  dir: string;
  version: string;
  /** Subpath (`.`, `./tools`) → absolute file. */
  files: Map<string, string>;
}

/**
 * Reads the table of modules from the `eve` package in `dir`.
 * @throws CompilerError `SDK_NOT_FOUND` when there is no such package or it isn't built.
 */
export function readSdk(dir: string): Sdk {
  const file = path.join(dir, "package.json");
  let json: { version?: string; exports?: Record<string, unknown> };
  try {
    json = JSON.parse(readFileSync(file, "utf8")) as typeof json;
  } catch (error) {
    if (systemCode(error) === undefined && !(error instanceof SyntaxError)) throw error;
    throw new CompilerError("SDK_NOT_FOUND", `The eve package is not in ${shownPath(dir)}.`, {
      cause: error,
      help: "Install it: npm install eve",
    });
  }
  const files = new Map<string, string>();
  for (const [key, entry] of Object.entries(json.exports ?? {})) {
    const target = (entry as { default?: unknown } | null)?.default ?? entry;
    if (typeof target === "string") files.set(key, path.join(dir, target));
  }
  for (const name of ["body", "host", "api", "serde"]) {
    files.set(`#workflow/${name}`, path.join(dir, "dist", "workflow", `${name}.js`));
  }
  return { dir, version: json.version ?? "0.0.0", files };
}

/** The folder of the `eve` package for an application: its own, else the one beside this compiler. */
export function locateSdk(root: string): string {
  for (const from of [path.join(root, "package.json"), import.meta.url]) {
    try {
      return path.dirname(createRequire(from).resolve("eve/package.json"));
    } catch (error) {
      const code = systemCode(error);
      if (code !== "MODULE_NOT_FOUND" && code !== "ERR_PACKAGE_PATH_NOT_EXPORTED") throw error;
    }
  }
  throw new CompilerError("SDK_NOT_FOUND", `The eve package can't be found from ${shownPath(root)}.`, {
    help: "Install it: npm install eve",
  });
}

/**
 * The file that answers an `eve…` or `workflow…` import in a bundle, or why there is none: `body-only-host`
 * for `workflow/api` in workflow mode, `unknown` for a module that eve doesn't have.
 */
export function resolveSdk(
  sdk: Sdk,
  specifier: string,
  mode: Mode,
): { file: string } | { fault: "host-api" | "unknown" } {
  if (specifier === "workflow") return found(sdk, mode === "workflow" ? "#workflow/body" : "#workflow/host");
  if (specifier === "workflow/api") {
    return mode === "workflow" ? { fault: "host-api" } : found(sdk, "#workflow/api");
  }
  if (specifier === "@workflow/serde") return found(sdk, "#workflow/serde");
  if (specifier === "eve") return found(sdk, ".");
  return specifier.startsWith("eve/") ? found(sdk, `./${specifier.slice(4)}`) : { fault: "unknown" };
}

function found(sdk: Sdk, key: string): { file: string } | { fault: "unknown" } {
  const file = sdk.files.get(key);
  if (file === undefined) return { fault: "unknown" };
  if (!existsSync(file)) {
    throw new CompilerError(
      "SDK_NOT_FOUND",
      `The eve package in ${shownPath(sdk.dir)} is not built: ${shownPath(file)} is missing.`,
      {
        help: "Run its build, or install it again.",
      },
    );
  }
  return { file };
}
