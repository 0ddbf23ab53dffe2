import { AsyncLocalStorage } from "node:async_hooks";
import vm from "node:vm";
import realmSource from "virtual:eve-realm";
import type { Border, RealmApi } from "../realm/border.js";
import type { WorkflowBundle } from "./bundle.js";
import { delegates } from "./delegates.js";
import type { BodyHost, BodyStart } from "./protocol.js";

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

/** A context with the realm in it that belongs to no run yet. */
interface BlankContext extends ReplayContext {
  /** Whose hooks the realm makes from now on. */
  belongTo(host: BodyHost): void;
}

/** How long nobody has asked for a context before one is made ahead, in milliseconds. */
const QUIET = 5;

/** A context nobody has used yet: making one takes about a third of the start of a run. */
let spare: BlankContext | undefined;
let refill: NodeJS.Timeout | undefined;
/** The timer lives as long as the process; it isn't to keep what its first caller has in async context. */
const outside = AsyncLocalStorage.snapshot();

/**
 * A context with a microtask queue of its own. Its global object is the context's own object, not a proxy of
 * one of the host: that is faster, and nothing of the host is reachable through it.
 */
function makeContext(): BlankContext {
  const context = vm.createContext(vm.constants.DONT_CONTEXTIFY, { microtaskMode: "afterEvaluate" });
  const boot = realm().runInContext(context) as (border: Border) => void;
  let api: RealmApi | undefined;
  let owner: BodyHost | undefined;
  const host = (): BodyHost => {
    if (owner) return owner;
    throw new Error("No run has taken this context yet");
  };
  boot({
    ...delegates,
    hookToken: (key) => host().hookToken(key),
    webhookUrl: (key, token) => host().webhookUrl(key, token),
    attach: (given) => (api = given),
  });
  if (!api) throw new Error("The replay realm did not attach; the package is damaged: install it again.");
  return { context, api, belongTo: (given) => (owner = given) };
}

/** Another is made ahead once runs stop asking for them; while many start, that would gain nothing. */
function takeContext(): BlankContext {
  const taken = spare ?? makeContext();
  spare = undefined;
  refill ??= outside(() => setTimeout(() => (spare ??= makeContext()), QUIET).unref());
  refill.refresh();
  return taken;
}

/** The context of one run. */
export function createReplayContext(
  start: BodyStart,
  { namesTemporal }: Pick<WorkflowBundle, "namesTemporal">,
  host: BodyHost,
): ReplayContext {
  const { context, api, belongTo } = takeContext();
  belongTo(host);
  api.begin(JSON.stringify(start), namesTemporal);
  return { context, api };
}

/** Runs the context until it is idle. */
export function pump(context: vm.Context, timeout: number | undefined): void {
  if (timeout === undefined) pumpScript.runInContext(context);
  else pumpScript.runInContext(context, { timeout });
}
