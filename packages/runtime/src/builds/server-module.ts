import { pathToFileURL } from "node:url";
import { ERRORS, REGISTERED_STEPS } from "eve/internal/symbols";
import { BuildImportError } from "../errors/builds.js";

/** A step function as its bundle registered it. */
export type StepFunction = ((...args: unknown[]) => unknown) & { maxRetries?: unknown };

/** What `server.mjs` exports as `eve`. */
export interface ServerExports {
  version: 1;
  agent?: unknown;
  /** Definitions by tool name. */
  tools: Readonly<Record<string, unknown>>;
}

/** A build's host code, imported. */
export interface ServerModule {
  steps: ReadonlyMap<string, StepFunction>;
  /** Classes with `workflow-serialize`, by class id. */
  classes: ReadonlyMap<string, unknown>;
  /** `FatalError` and its like, as the bundle's own classes, by name. */
  errors: Readonly<Record<string, { prototype: Error } | undefined>>;
  eve: ServerExports;
}

const CLASS_REGISTRY = Symbol.for("workflow-class-registry");

interface Registries {
  [REGISTERED_STEPS]?: Map<string, StepFunction>;
  [CLASS_REGISTRY]?: Map<string, unknown>;
  [ERRORS]?: Record<string, { prototype: Error } | undefined>;
}

let previous: Promise<unknown> = Promise.resolve();
/** Node.js evaluates a module once per process, so what it registered then has to serve every later caller. */
const imported = new Map<string, Promise<ServerModule>>();

/**
 * Imports `server.mjs`; a file's contents never change under its name. The registries of steps and classes are global in the portable ABI, so each build gets
 * fresh ones for the time of its import, and imports happen one after the other.
 *
 * Errors: `BUILD_IMPORT`.
 */
export function importServerModule(file: string): Promise<ServerModule> {
  const present = imported.get(file);
  if (present) return present;
  const result = previous.then(() => importAlone(file));
  imported.set(file, result);
  previous = result.catch(() => imported.delete(file));
  return result;
}

async function importAlone(file: string): Promise<ServerModule> {
  const registries = globalThis as Registries;
  const before = {
    steps: registries[REGISTERED_STEPS],
    classes: registries[CLASS_REGISTRY],
    errors: registries[ERRORS],
  };
  const steps = new Map<string, StepFunction>();
  const classes = new Map<string, unknown>();
  const errors = {};
  registries[REGISTERED_STEPS] = steps;
  registries[CLASS_REGISTRY] = classes;
  registries[ERRORS] = errors;
  try {
    const module = (await import(pathToFileURL(file).href)) as { eve?: ServerExports };
    if (module.eve?.version !== 1) throw new TypeError("it exports no `eve` of version 1");
    return { steps, classes, errors, eve: module.eve };
  } catch (error) {
    throw new BuildImportError(file, error);
  } finally {
    restore(registries, REGISTERED_STEPS, before.steps);
    restore(registries, CLASS_REGISTRY, before.classes);
    restore(registries, ERRORS, before.errors);
  }
}

function restore<K extends keyof Registries>(registries: Registries, key: K, value: Registries[K]): void {
  if (value === undefined) delete registries[key];
  else registries[key] = value;
}
