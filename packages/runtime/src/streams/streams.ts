import { Hub } from "../engine/hub.js";
import type { Store, StreamChunk } from "../store/types.js";

/** Chunks read from the store at a time. */
const PAGE = 256;

/** One run's stream as the writer knows it. */
interface Writing {
  /** Index of the next chunk; undefined until the store was asked. */
  length: number | undefined;
}

export interface StreamsHost {
  store: Store;
  /** Stores chunks in the next transaction; resolves when it is committed. */
  write(runId: string, chunks: StreamChunk[], close: string[]): Promise<void>;
}

/**
 * The output streams of runs: chunks with contiguous indices, written by bodies and steps, read from any index on.
 * A name is unique within its run; the default stream's name is empty.
 */
export class Streams {
  readonly #host: StreamsHost;
  readonly #writing = new Map<string, Writing>();
  /** Tells readers that there may be more. */
  readonly #changes = new Hub<void>();
  /** Writes of a run's steps that are on their way. */
  readonly #pending = new Map<string, Promise<unknown>>();

  constructor(host: StreamsHost) {
    this.#host = host;
  }

  /** The index of the next chunk of a stream; counts on at once. The stream must be known (`prepare`). */
  nextIndex(runId: string, stream: string): number {
    const writing = this.#writing.get(nameOf(runId, stream));
    if (writing?.length === undefined) throw new StreamUnknown(runId, stream);
    writing.length += 1;
    return writing.length - 1;
  }

  /** Asks the store once how long a stream is. */
  async prepare(runId: string, stream: string): Promise<void> {
    const name = nameOf(runId, stream);
    if (this.#writing.get(name)?.length !== undefined) return;
    const { length } = await this.#host.store.streamState(runId, stream);
    if (this.#writing.get(name)?.length === undefined) this.#writing.set(name, { length });
  }

  /** Forgets what was counted: the transaction that held it didn't come about. */
  forget(runId: string): void {
    const prefix = nameOf(runId, "");
    for (const name of this.#writing.keys()) if (name.startsWith(prefix)) this.#writing.delete(name);
  }

  /** Chunks were committed, or a stream or its run ended: readers look again. */
  changed(runId: string): void {
    this.#changes.publish(runId, undefined);
  }

  /** Appends a chunk (devalue text) from a step. */
  append(runId: string, stream: string, value: string): Promise<void> {
    return this.#inOrder(runId, async () => {
      await this.prepare(runId, stream);
      const index = this.nextIndex(runId, stream);
      try {
        await this.#host.write(runId, [{ stream, index, value }], []);
      } catch (error) {
        this.forget(runId);
        throw error;
      }
      this.changed(runId);
    });
  }

  /** Marks the end of a stream from a step. */
  close(runId: string, stream: string): Promise<void> {
    return this.#inOrder(runId, async () => {
      await this.#host.write(runId, [], [stream]);
      this.changed(runId);
    });
  }

  /** Resolves when everything steps of this run have written is stored; undefined when that is so already. */
  flush(runId: string): Promise<unknown> | undefined {
    return this.#pending.get(runId);
  }

  #inOrder(runId: string, work: () => Promise<void>): Promise<void> {
    const before = this.#pending.get(runId) ?? Promise.resolve();
    const result = before.then(work);
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#pending.set(runId, settled);
    void settled.then(() => {
      if (this.#pending.get(runId) === settled) this.#pending.delete(runId);
    });
    return result;
  }

  /**
   * The chunks of a stream from `from` on, then those that come, until the stream is closed or its run has ended.
   * A negative `from` counts from the present end. Aborting `signal` ends the reading.
   */
  async *read(
    runId: string,
    stream: string,
    from: number,
    options: { ended(): Promise<boolean>; signal: AbortSignal },
  ): AsyncGenerator<StreamChunk> {
    const { signal } = options;
    let next = from;
    if (next < 0) next = Math.max(0, (await this.#host.store.streamState(runId, stream)).length + next);
    const aborted = () => this.changed(runId);
    signal.addEventListener("abort", aborted, { once: true });
    let change: ReturnType<Hub<void>["next"]> | undefined;
    try {
      while (!signal.aborted) {
        // Registered before looking, so that nothing that comes in between is missed.
        change ??= this.#changes.next(runId);
        const over = (await this.#host.store.streamState(runId, stream)).closed || (await options.ended());
        const chunks = await this.#host.store.chunks(runId, stream, next, PAGE);
        for (const chunk of chunks) {
          next = chunk.index + 1;
          yield chunk;
        }
        if (chunks.length > 0) continue;
        if (over) return;
        await change.happened;
        change = undefined;
      }
    } finally {
      signal.removeEventListener("abort", aborted);
      change?.stop();
    }
  }
}

/** Thrown out of a turn when a body writes to a stream whose length isn't known yet: it is asked, then done again. */
export class StreamUnknown extends Error {
  readonly runId: string;
  readonly stream: string;

  constructor(runId: string, stream: string) {
    super(`The length of stream ${JSON.stringify(stream)} of run ${runId} isn't known yet`);
    this.runId = runId;
    this.stream = stream;
  }
}

const nameOf = (runId: string, stream: string) => `${runId}\u0000${stream}`;
