/**
 * The script that runs inside each replay context, before the body. It gives the context the globals of a
 * body and the workflow operations, and hands the host the functions that deliver events.
 */
import "./http.js";
import { runBody } from "./body.js";
import { host, type BundleFunction } from "./border.js";
import { installClock, installTemporal } from "./clock.js";
import { installForbidden } from "./forbidden.js";
import { installGlobals } from "./globals.js";
import { createHook, deliverHook } from "./hooks.js";
import { ambient } from "./lazy.js";
import { installRaces } from "./race.js";
import { installRandom } from "./random.js";
import { deliverCall } from "./serve.js";
import { deliverAbort } from "./signals.js";
import { sleep } from "./sleep.js";
import { installStacks } from "./stack.js";
import type { BodyStart } from "../replay/protocol.js";
import { begin, run, settle, start } from "./state.js";
import { useStep } from "./steps.js";
import { streamId } from "./stream-handles.js";
import { beginCall, serving } from "./tool.js";

installStacks();
installForbidden();
installGlobals();
installClock();
installRandom();
installRaces();

const API: Record<string, unknown> = {
  WORKFLOW_USE_STEP: useStep,
  WORKFLOW_SLEEP: sleep,
  WORKFLOW_CREATE_HOOK: createHook,
  WORKFLOW_GET_STREAM_ID: streamId,
};
for (const name in API) Object.defineProperty(globalThis, Symbol.for(name), { value: API[name] });

// Kept, in case the body replaces them before it asks.
const [{ parse }, { freeze }, BodyDate] = [JSON, Object, Date];
let described: object | undefined;

/** What `getWorkflowMetadata()` gives: few bodies ask for it. */
function describeRun(): object {
  const { workflowStartedAt = start.startedAt, ...metadata } = parse(start.metadata) as {
    workflowStartedAt?: string | number;
  };
  return freeze({ ...metadata, workflowStartedAt: new BodyDate(workflowStartedAt) });
}
Object.defineProperty(globalThis, Symbol.for("WORKFLOW_CONTEXT"), {
  get: () => (described ??= describeRun()),
});

/** What may run code of the body does so in a microtask, so that it runs inside the pump and its limits. */
const pumped = Promise.resolve();

function advance(at: number, replaying: boolean): void {
  run.now = Math.max(run.now, at);
  run.moment += 1;
  run.replaying = replaying;
}

function handle(type: string, key: string, first: string | undefined, second: string | undefined): void {
  if (type === "abort") deliverAbort(key, first);
  else if (type === "call" && serving) deliverCall(serving, key, first ?? "");
  else if (type === "calls-cancelled") {
    serving?.forget();
    deliverAbort(key, first);
  } else if (type === "calls-ended") serving?.close(key);
  else deliverHook(type, key, first, second);
}

host.attach({
  begin(given, namesTemporal) {
    begin(parse(given) as BodyStart);
    if (namesTemporal) installTemporal();
    beginCall();
  },
  start(at: number, replaying: boolean, bundle: BundleFunction) {
    advance(at, replaying);
    void pumped.then(() => runBody(bundle));
  },
  deliver(at, replaying, type, key, first, second) {
    advance(at, replaying);
    if (type === "resolve") settle(key, { ok: true, text: first ?? "" });
    else if (type === "reject") settle(key, { ok: false, text: first ?? "" });
    else void pumped.then(() => handle(type, key, first, second));
  },
  collect() {
    const { operations, outcome, console } = run;
    if (operations.length === 0 && outcome === undefined && console.length === 0) return undefined;
    run.operations = [];
    run.console = [];
    return { operations, outcome, console };
  },
  describe: (value) => ambient.get().inspect(value),
  promisePrototype: Promise.prototype,
});
