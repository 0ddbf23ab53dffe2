import vm from "node:vm";
import realmSource from "virtual:eve-realm";
import type { Border, RealmApi } from "../realm/border.js";

let realmScript: vm.Script | undefined;

/** Compiled when the first context is made: a command that runs no body doesn't pay for it. */
function realm(): vm.Script {
  realmScript ??= new vm.Script(`(function (border) {"use strict";\n${realmSource}\n})`, {
    filename: "eve:/realm.js",
  });
  return realmScript;
}

/** Empty on purpose: evaluating it runs the context's microtasks until none is left. */
const pumpScript = new vm.Script("0", { filename: "eve:/pump.js" });

export interface ReplayContext {
  context: vm.Context;
  api: RealmApi;
}

/** How long nobody has asked for a context before one is made ahead, in milliseconds. */
const QUIET = 5;

/** A context nobody has used yet: an empty one takes about a fifth of the start of a run. */
let spare: vm.Context | undefined;
let refill: NodeJS.Timeout | undefined;

const makeContext = (): vm.Context =>
  vm.createContext(vm.constants.DONT_CONTEXTIFY, { microtaskMode: "afterEvaluate" });

/** An empty context. Another is made ahead once runs stop asking for them; while many start, that would gain nothing. */
function takeContext(): vm.Context {
  const context = spare ?? makeContext();
  spare = undefined;
  refill ??= setTimeout(() => (spare ??= makeContext()), QUIET).unref();
  refill.refresh();
  return context;
}

/**
 * A context with a microtask queue of its own. Its global object is the context's own object, not a proxy of
 * one of the host: that is faster, and nothing of the host is reachable through it.
 */
export function createReplayContext(border: Omit<Border, "attach">): ReplayContext {
  const context = takeContext();
  let api: RealmApi | undefined;
  const boot = realm().runInContext(context) as (border: Border) => void;
  boot({ ...border, attach: (given) => (api = given) });
  if (!api) throw new Error("The replay realm did not attach; the package is damaged: install it again.");
  return { context, api };
}

/** Runs the context until it is idle. */
export function pump(context: vm.Context, timeout: number | undefined): void {
  if (timeout === undefined) pumpScript.runInContext(context);
  else pumpScript.runInContext(context, { timeout });
}
