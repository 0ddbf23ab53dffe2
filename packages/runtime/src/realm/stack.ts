/**
 * Stacks of this realm show the body's own frames and nothing else: Node maps no stacks of contexts, and
 * frames of the host or of this script would leak in. They are mapped to the author's files at the border.
 */
import type { CallSite } from "../replay/protocol.js";
import { titleOf } from "../values/stacks.js";
import { readOf } from "../values/thrown.js";
import { run } from "./state.js";

/** The file name under which the bundle runs. */
const BUNDLE = "eve:/workflow.cjs";
/** Deep enough that the author's frames are seen below ours. */
const LIMIT = 30;
/** A call site keeps this many frames: the first ones may be eve's own thin functions inside the bundle. */
const SITE_FRAMES = 3;
/** How deep a call site is looked for. */
const DEPTH = 4;

/** Takes the stacks of call sites: one for all of them, because giving an object a stack changes its shape. */
const holder: { stack?: string } = {};
let asSite = false;
let skipFrames = 0;

function header(error: unknown): string {
  const fields = error as { name?: unknown; message?: unknown };
  // A getter that throws must not make asking for the stack throw.
  const read = (name: "name" | "message") =>
    readOf(() => (fields[name] === undefined ? undefined : String(fields[name])));
  const title = read("name") ?? "Error";
  const text = read("message") ?? "";
  return titleOf({ name: title, message: text });
}

function prepareStackTrace(error: unknown, frames: NodeJS.CallSite[]): string {
  if (asSite) return siteOf(frames);
  const own = frames.filter((frame) => frame.getFileName() === BUNDLE);
  return [header(error), ...own.map((frame) => `    at ${String(frame)}`)].join("\n");
}

function siteOf(frames: NodeJS.CallSite[]): CallSite {
  let site = "";
  let own = 0;
  for (let i = 0; i < frames.length; i += 1) {
    const frame = frames[i] as NodeJS.CallSite;
    if (frame.getFileName() !== BUNDLE) continue;
    own += 1;
    if (own > skipFrames) site += `${site && " "}${frame.getLineNumber()}:${frame.getColumnNumber()}`;
    if (own === skipFrames + SITE_FRAMES) break;
  }
  return site;
}

/** Makes stacks of this realm readable. Code that sets `Error.prepareStackTrace` itself has no effect. */
export function installStacks(): void {
  Error.stackTraceLimit = LIMIT;
  Object.defineProperty(Error, "prepareStackTrace", {
    get: () => prepareStackTrace,
    set() {},
    configurable: false,
    enumerable: false,
  });
}

/** Where in the bundle the caller was called, innermost frame first: `12:5 40:3`. */
export function callSite(): CallSite {
  return run.replaying ? "" : siteBelow(callSite, DEPTH, 0);
}

/**
 * Where in the bundle a step was called. Steps are called most, and their call is right behind the step's own
 * functions: no more is looked at, unless something else lies in between (`Array.prototype.map`, say).
 * @param step the function that asks.
 * @param skip frames of the bundle that belong to the step itself (its compiled function: 1).
 */
export function stepSite(step: Function, skip: number): CallSite {
  if (run.replaying) return "";
  return siteBelow(step, skip + 1, skip) || siteBelow(step, skip + DEPTH, skip);
}

/** The site behind the frames of `top`, of which so many are looked at. */
function siteBelow(top: Function, depth: number, skip: number): CallSite {
  const limit = Error.stackTraceLimit;
  asSite = true;
  skipFrames = skip;
  try {
    Error.stackTraceLimit = depth;
    Error.captureStackTrace(holder, top);
    return holder.stack ?? "";
  } catch (error) {
    // Node formats stacks in the host's realm. When the body's recursion leaves no room for that, the error
    // that comes back is the host's, which a body must not get.
    throw error instanceof Error ? error : new RangeError("Maximum call stack size exceeded");
  } finally {
    asSite = false;
    Error.stackTraceLimit = limit;
  }
}
