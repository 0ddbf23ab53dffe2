import path from "node:path";
import { builtinName, isBuiltin } from "../resolve/builtins.js";
import { resolveRelative } from "../resolve/relative.js";
import type { Resolution, Resolve } from "../resolve/resolution.js";
import { resolveSdk, SDK_FILTER, type Sdk } from "../resolve/sdk.js";
import { BUNDLE_CONDITIONS, MAIN_FIELDS } from "./settings.js";
import { esbuild, type PluginBuild } from "./esbuild.js";

/** Marks calls of `build.resolve` made by the compiler, which its own `onResolve` callbacks let pass. */
export const PASS = { eve: "pass" } as const;

/**
 * Makes a resolver out of esbuild's own, as seen by the plugin `build`: tsconfig `paths` of the owning package,
 * `exports` conditions, symlinks. Builtins and eve's modules are answered before it is asked.
 */
export function resolverOf(build: Pick<PluginBuild, "resolve">, sdk: Sdk): Resolve {
  return async (specifier, importer, kind) => {
    const own = resolveOwn(specifier, sdk);
    if (own !== undefined) return own;
    const dir = path.dirname(importer);
    const near = resolveRelative(specifier, dir);
    if (near !== undefined) return { kind: "file", path: near };
    const answer = await build.resolve(specifier, { importer, resolveDir: dir, kind, pluginData: PASS });
    if (answer.errors.length > 0) {
      return { kind: "unresolved", reason: answer.errors.map((error) => error.text).join("; ") };
    }
    if (answer.external || answer.namespace !== "file") return { kind: "foreign", path: answer.path };
    return { kind: "file", path: answer.path };
  };
}

/**
 * A resolver that asks once for what modules of one folder import: esbuild looks at nothing else, as long as no plugin
 * but the compiler's has a say.
 */
function oncePerFolder(resolve: Resolve): Resolve {
  const answers = new Map<string, Promise<Resolution>>();
  return (specifier, importer, kind) => {
    const key = `${path.dirname(importer)}\0${kind}\0${specifier}`;
    let answer = answers.get(key);
    if (answer === undefined) {
      answer = resolve(specifier, importer, kind);
      answers.set(key, answer);
    }
    return answer;
  };
}

/** Resolutions that don't depend on the importer. `undefined`: ask esbuild. */
function resolveOwn(specifier: string, sdk: Sdk): Resolution | undefined {
  if (isBuiltin(specifier)) return { kind: "builtin", name: builtinName(specifier) };
  if (!SDK_FILTER.test(specifier)) return undefined;
  const answer = resolveSdk(sdk, specifier, "workflow");
  if ("file" in answer) return { kind: "sdk", path: answer.file };
  return answer.fault === "host-api" ? { kind: "host-api" } : undefined;
}

/**
 * Runs `use` with a resolver that works as both bundles do. esbuild answers resolve calls only while a build
 * is under way, so this keeps an empty one open until `use` is done.
 */
export async function withResolver<T>(
  root: string,
  sdk: Sdk,
  use: (resolve: Resolve) => Promise<T>,
): Promise<T> {
  let result: { value: T } | undefined;
  let failure: { error: unknown } | undefined;
  await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["eve-resolver"],
    bundle: true,
    write: false,
    logLevel: "silent",
    platform: "neutral",
    mainFields: MAIN_FIELDS,
    conditions: BUNDLE_CONDITIONS,
    plugins: [
      {
        name: "eve-resolver",
        setup(build) {
          build.onResolve({ filter: /^eve-resolver$/ }, () => ({ path: "entry", namespace: "eve-resolver" }));
          build.onLoad({ filter: /.*/, namespace: "eve-resolver" }, async () => {
            try {
              result = { value: await use(oncePerFolder(resolverOf(build, sdk))) };
            } catch (error) {
              failure = { error }; // rethrown below: esbuild would turn it into a message
            }
            return { contents: "" };
          });
        },
      },
    ],
  });
  if (failure !== undefined) throw failure.error;
  if (result === undefined) throw new Error("the resolver build ended before its callback");
  return result.value;
}
