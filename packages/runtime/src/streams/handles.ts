import { ENDED } from "../store/types.js";
import type { Core } from "../engine/core.js";
import type { StreamHandle } from "../values/index.js";

/** The durable stream that a stream object of this process stands for. */
const HANDLES = new WeakMap<object, StreamHandle>();

/** The handle of a stream made by `openStream`. */
export const describeStream = (value: object): StreamHandle | undefined => HANDLES.get(value);

/** The stream object of a handle: what is written to it is stored, what is read from it comes from the store. */
export function openStream(
  core: Core,
  handle: StreamHandle,
): ReadableStream<unknown> | WritableStream<unknown> {
  const stream =
    handle.direction === "writable"
      ? writable(core, handle.runId, handle.name)
      : readable(core, handle.runId, handle.name, 0);
  HANDLES.set(stream, handle);
  return stream;
}

/** A write resolves when the chunk is stored. Aborting closes the stream: readers get what was written. */
export function writable(core: Core, runId: string, name: string): WritableStream<unknown> {
  const stream = new WritableStream<unknown>({
    async write(chunk) {
      const text = await core.values.encodeWithin(chunk, "chunk", "A chunk of a stream");
      await core.streams.append(runId, name, text);
    },
    close: () => core.streams.close(runId, name),
    abort: () => core.streams.close(runId, name),
  });
  HANDLES.set(stream, { direction: "writable", runId, name });
  return stream;
}

/** The chunks of a stream from an index on; below 0 it counts from the end. Ends with the stream or its run. */
export function readable(core: Core, runId: string, name: string, from: number): ReadableStream<unknown> {
  const cancelled = new AbortController();
  const chunks = core.streams.read(runId, name, from, {
    signal: cancelled.signal,
    async ended() {
      const row = await core.store.run(runId);
      return row === undefined || ENDED.has(row.status);
    },
  });
  const codec = core.values.plain();
  const stream = new ReadableStream<unknown>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(codec.decode(next.value.value));
      },
      async cancel() {
        cancelled.abort();
        await chunks.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  HANDLES.set(stream, { direction: "readable", runId, name });
  return stream;
}
