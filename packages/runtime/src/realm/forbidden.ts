/** What Node has and a body can't use: because a replay would see something else, or nothing at all. */
import { notHere } from "./errors.js";

const REMOVED = ["WeakRef", "FinalizationRegistry", "SharedArrayBuffer", "WebAssembly"];

const TIMER = 'Use `await sleep("30s")` from "workflow": it survives restarts and holds no process.';
const ADVICE: Record<string, string> = {
  setTimeout: TIMER,
  setInterval: TIMER,
  setImmediate: TIMER,
  clearTimeout: TIMER,
  clearInterval: TIMER,
  clearImmediate: TIMER,
  fetch: 'Call it in a "use step" function: its answer is recorded there and read again on replay.',
};

export function requireAdvice(id: string): never {
  throw notHere(`require(${JSON.stringify(id)})`, "Import what steps need at the top of the module.");
}

export function installForbidden(): void {
  const globals = globalThis as unknown as Record<string, unknown>;
  for (const name of REMOVED) delete globals[name];
  const atomics = globals.Atomics as Record<string, unknown>;
  delete atomics.waitAsync;
  delete atomics.wait;
  for (const [name, advice] of Object.entries(ADVICE)) {
    const value = () => {
      throw notHere(`${name}()`, advice);
    };
    Object.defineProperty(globals, name, { value, writable: true, configurable: true, enumerable: false });
  }
  Object.defineProperty(globals, "require", { value: requireAdvice, writable: true, configurable: true });
}
