import vm from "node:vm";
import { BundleSyntaxError } from "./errors.js";

/** Under this name the bundle runs; its frames are mapped by it. */
export const BUNDLE_FILE = "eve:/workflow.cjs";

/** The compiled body code of one build, shared by all contexts. */
export interface WorkflowBundle {
  readonly script: vm.Script;
  /** The text holds the word `Temporal`, so contexts have to set its clock. */
  readonly namesTemporal: boolean;
}

export interface CompileOptions {
  /** V8's code cache of an earlier compilation (`bundleCache`); ignored when it doesn't fit. */
  cachedData?: Buffer;
}

/**
 * Compiles `workflow.cjs` once; `createBody` evaluates it per run.
 * @param code CommonJS text that puts its workflows into `globalThis.__private_workflows`.
 * @throws BundleSyntaxError when the text doesn't parse.
 */
export function compileWorkflowBundle(code: string, options: CompileOptions = {}): WorkflowBundle {
  const wrapped = `(function (exports, module, require) {\n${code}\n})`;
  try {
    const script = new vm.Script(wrapped, {
      filename: BUNDLE_FILE,
      // The wrapper's line isn't the author's.
      lineOffset: -1,
      ...(options.cachedData ? { cachedData: options.cachedData } : {}),
    });
    return { script, namesTemporal: code.includes("Temporal") };
  } catch (error) {
    throw new BundleSyntaxError(error);
  }
}

/** V8's code cache of a compiled bundle, to be kept beside it. Valid for this version of Node only. */
export function bundleCache(bundle: WorkflowBundle): Buffer {
  return bundle.script.createCachedData();
}
