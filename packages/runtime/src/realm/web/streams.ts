/** Streams of the run, as handles: a body names them and passes them to steps, which read and write. */
import { notHere, WorkflowUsageError } from "../errors.js";
import { fitting } from "../limits.js";
import { emit, start } from "../state.js";
import { handleOf } from "../stream-handles.js";
import { codec } from "../values.js";

const PASS_ON = 'Pass the stream to a "use step" function and use it there.';

class RealmWritableStream {
  readonly locked = false;

  constructor() {
    throw notHere("new WritableStream()", PASS_ON);
  }

  /** A writer of the run's own stream: what the body writes is recorded, and written once. */
  getWriter(): object {
    const handle = handleOf(this);
    if (!handle || handle.runId !== start.runId)
      throw new WorkflowUsageError(`This stream isn't the run's own. ${PASS_ON}`);
    const stream = handle.name;
    let open = true;
    const check = (): void => {
      if (!open) throw new TypeError("The writer is closed or its lock was released.");
    };
    return {
      closed: new Promise<void>(() => undefined),
      ready: Promise.resolve(),
      desiredSize: 1,
      async write(chunk: unknown) {
        check();
        emit({
          op: "stream-write",
          stream,
          value: fitting(codec.encode(chunk, "chunk"), "A chunk of a stream"),
        });
      },
      async close() {
        check();
        open = false;
        emit({ op: "stream-close", stream });
      },
      async abort() {
        check();
        open = false;
        emit({ op: "stream-close", stream });
      },
      releaseLock() {
        open = false;
      },
    };
  }

  get [Symbol.toStringTag](): string {
    return "WritableStream";
  }
}

class RealmReadableStream {
  readonly locked = false;

  constructor() {
    throw notHere("new ReadableStream()", PASS_ON);
  }

  getReader(): never {
    throw notHere("Reading a stream", PASS_ON);
  }

  get [Symbol.toStringTag](): string {
    return "ReadableStream";
  }
}

export { RealmReadableStream as ReadableStream, RealmWritableStream as WritableStream };
