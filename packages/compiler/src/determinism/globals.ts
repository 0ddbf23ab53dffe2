import { hostGlobal, nondeterminism, timerOrFetch, type Finding } from "../rules/index.js";
import type { GlobalUse } from "../types.js";

const HOST = new Set(["process", "require", "__dirname", "__filename"]);

const TIMERS_AND_REQUESTS = new Set([
  "setTimeout",
  "setInterval",
  "setImmediate",
  "clearTimeout",
  "clearInterval",
  "clearImmediate",
  "fetch",
  "XMLHttpRequest",
  "WebSocket",
  "EventSource",
]);

const CLOCKS = new Set(["Date.now", "performance.now", "performance.timeOrigin", "Temporal.Now"]);
const RANDOM = new Set(["Math.random", "crypto.randomUUID", "crypto.getRandomValues"]);

/** How many arguments say everything that would otherwise come from the machine's settings. */
const LOCALE_ARGUMENTS: Record<string, number> = {
  "*.toLocaleString": 1,
  "*.toLocaleDateString": 1,
  "*.toLocaleTimeString": 1,
  "*.toLocaleUpperCase": 1,
  "*.toLocaleLowerCase": 1,
  "*.localeCompare": 2,
};

/** Bundling replaces it by a constant. */
const DEFINED = "process.env.NODE_ENV";

/**
 * Judges one use of a global in code that a body reaches.
 *
 * @param commonjs whether the module is CommonJS, where `require` is how modules are imported
 */
export function judgeGlobal(use: GlobalUse, commonjs: boolean): Finding | undefined {
  if (use.typeofOnly === true) return undefined;
  const [root = "", member] = use.path.split(".");
  const host = use.path.startsWith("import.meta") || (HOST.has(root) && !(commonjs && root === "require"));
  if (host) {
    // A constant that stands for it is reported where it reads it, which is where it fails.
    return use.alias === "used" || use.path === DEFINED ? undefined : hostGlobal(use.path);
  }
  // For what is called later, the call is the fault, not the constant that stands for it.
  if (use.alias === "declared") return undefined;
  if (TIMERS_AND_REQUESTS.has(root)) return timerOrFetch(root);

  const pair = `${root}.${member ?? ""}`;
  if (CLOCKS.has(pair)) return nondeterminism(`${pair}${use.use === "call" ? "()" : ""}`, "clock");
  if (RANDOM.has(pair)) return nondeterminism(`${pair}${use.use === "call" ? "()" : ""}`, "random");
  if (use.path === "Date" && use.use === "call") return nondeterminism("Date()", "clock");
  if (use.path === "Date" && use.use === "new" && use.args === 0)
    return nondeterminism("new Date()", "clock");

  const enough = LOCALE_ARGUMENTS[use.path];
  if (enough !== undefined && (use.args ?? 0) < enough)
    return nondeterminism(`${use.path.slice(2)}()`, "locale");
  if (root === "Intl" && member !== undefined && use.use !== "read" && use.args === 0) {
    return nondeterminism(`${use.use === "new" ? "new " : ""}Intl.${member}()`, "locale");
  }
  return undefined;
}
