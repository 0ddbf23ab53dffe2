/**
 * The script that runs inside each replay context, before the body. It gives the context the globals of a
 * body and the workflow operations, and hands the host the functions that deliver events.
 */
import { runBody } from "./body.js";
import { host, type BundleFunction } from "./border.js";
import { installForbidden } from "./forbidden.js";
import { sleep } from "./sleep.js";
import { installStacks } from "./stack.js";
import { run, settle } from "./state.js";
import { useStep } from "./steps.js";

installStacks();
installForbidden();

const operations: [name: string, value: unknown][] = [
  ["WORKFLOW_USE_STEP", useStep],
  ["WORKFLOW_SLEEP", sleep],
];
for (const [name, value] of operations) Object.defineProperty(globalThis, Symbol.for(name), { value });

/** Work that may run code of the body is done in a microtask, so that it runs inside the pump and its limits. */
const pumped = Promise.resolve();

function advance(at: number): void {
  run.now = Math.max(run.now, at);
  run.moment += 1;
}

host.attach({
  start(at: number, bundle: BundleFunction) {
    advance(at);
    void pumped.then(() => runBody(bundle));
  },
  deliver(at, type, key, first) {
    advance(at);
    if (type === "resolve") settle(key, { ok: true, text: first ?? "" });
    else if (type === "reject") settle(key, { ok: false, text: first ?? "" });
  },
  collect() {
    const { operations, outcome, console } = run;
    if (operations.length === 0 && outcome === undefined && console.length === 0) return "";
    const text = JSON.stringify({ operations, outcome, console });
    run.operations = [];
    run.console = [];
    return text;
  },
  describe: (value) => String(value),
  promisePrototype: Promise.prototype,
});
