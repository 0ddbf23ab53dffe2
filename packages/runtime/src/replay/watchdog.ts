import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";

/** Looks after bodies that don't come back, from a thread of its own: theirs can't say anything then. */
export interface Watchdog {
  /** A pump begins. */
  enter(runId: string, workflowId: string): void;
  /** It came back. */
  leave(): void;
  close(): Promise<void>;
}

export interface WatchdogOptions {
  /** How long one pump may take before it is reported, in milliseconds. Default 5,000. */
  limit?: number;
  /**
   * A file that gets a line of JSON `{"runId","workflowId","pid"}` per stall, written while the process hangs,
   * so that the next one knows what to be careful with.
   */
  file?: string;
  /** Write the warning to stderr. Default true. */
  warn?: boolean;
}

/** Layout of the shared memory: odd tick = a pump is running; then whether the worker sleeps; then the names. */
const TICK = 0;
const ASLEEP = 1;
const LENGTH = 2;
const NAME = 16;
const SIZE = 1024;

/**
 * The worker sleeps until a pump begins, then looks at the tick a few times per `limit` until nothing happens
 * any more: waking it for every pump would cost more than the pump. The same odd tick for `limit` is a stall.
 * It writes with the synchronous functions of `fs`, because streams of a worker go through the thread that hangs.
 */
const WORKER = `
const { workerData } = require("node:worker_threads");
const fs = require("node:fs");
const { memory, limit, file, warn, pid } = workerData;
const words = new Int32Array(memory);
const names = new Uint16Array(memory, ${NAME});
const never = new Int32Array(new SharedArrayBuffer(4));
let seen = -1, since = 0, reported = -1;
for (;;) {
  const tick = Atomics.load(words, ${TICK});
  if (tick !== seen) {
    seen = tick;
    since = performance.now();
  } else if (tick % 2 === 0) {
    Atomics.store(words, ${ASLEEP}, 1);
    Atomics.wait(words, ${TICK}, tick);
    Atomics.store(words, ${ASLEEP}, 0);
    continue;
  } else if (performance.now() - since >= limit && reported !== tick) {
    reported = tick;
    const text = String.fromCharCode(...names.subarray(0, Atomics.load(words, ${LENGTH})));
    const [runId, workflowId] = text.split("\\n");
    if (file) fs.appendFileSync(file, JSON.stringify({ runId, workflowId, pid }) + "\\n");
    if (warn) {
      fs.writeSync(2, "warning: the body of " + workflowId + " (run " + runId + ") hasn't yielded for " + limit +
        " ms. Look for a loop that never awaits a step, a sleep or a hook.\\n");
    }
  }
  Atomics.wait(never, 0, 0, limit / 4);
}
`;

/** Starts the watchdog. It keeps the process alive neither while idle nor while watching. */
export function createWatchdog(options: WatchdogOptions = {}): Watchdog {
  const { limit = 5_000, file, warn = true } = options;
  const memory = new SharedArrayBuffer(SIZE);
  const words = new Int32Array(memory);
  const names = new Uint16Array(memory, NAME);
  const workerData = { memory, limit, file, warn, pid: process.pid };
  const worker = new Worker(WORKER, { eval: true, workerData });
  worker.unref();
  worker.on("error", (error) => writeSync(2, `warning: the watchdog stopped: ${error.message}\n`));
  let named = "";

  return {
    enter(runId, workflowId) {
      if (runId !== named) {
        named = runId;
        const text = `${runId}\n${workflowId}`.slice(0, names.length);
        for (let i = 0; i < text.length; i += 1) names[i] = text.charCodeAt(i);
        Atomics.store(words, LENGTH, text.length);
      }
      Atomics.add(words, TICK, 1);
      if (Atomics.load(words, ASLEEP) === 1) Atomics.notify(words, TICK);
    },
    leave() {
      Atomics.add(words, TICK, 1);
    },
    async close() {
      await worker.terminate();
    },
  };
}
