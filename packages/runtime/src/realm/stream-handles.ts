/** How streams are named and carried. Their classes are evaluated only where a body touches one. */
import type { StreamHandle } from "../values/environment.js";
import { web } from "./lazy.js";
import { start } from "./state.js";
import { environment } from "./values.js";

/** Under this symbol the SDK's `getWritable()` keeps the stream's name. */
const STREAM_NAME = Symbol.for("WORKFLOW_STREAM_NAME");
const HANDLE = Symbol("stream");

/** The handle of a stream of this realm. */
export function handleOf(value: object): StreamHandle | undefined {
  const { [HANDLE]: handle, [STREAM_NAME]: name } = value as {
    [STREAM_NAME]?: unknown;
    [HANDLE]?: StreamHandle;
  };
  if (handle) return handle;
  return typeof name === "string" ? { direction: "writable", runId: start.runId, name } : undefined;
}

environment.describeStream = handleOf;
environment.reviveStream = (handle) => {
  const { ReadableStream, WritableStream } = web.get();
  const Class = handle.direction === "readable" ? ReadableStream : WritableStream;
  return Object.create(Class.prototype, { [HANDLE]: { value: handle } }) as object;
};

/** `globalThis[Symbol.for("WORKFLOW_GET_STREAM_ID")]`: the name of one of this run's output streams. */
export function streamId(namespace?: unknown): string {
  if (namespace === undefined) return "default";
  if (typeof namespace === "string" && namespace !== "") return `named:${namespace}`;
  throw new TypeError("A stream's namespace is a non-empty text.");
}
