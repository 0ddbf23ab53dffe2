import type { StoredMessage } from "../store/types.js";
import type { Core } from "./core.js";

/** Messages taken up at a time. */
const PAGE = 100;
/** Pause after a handler rejected, in milliseconds. */
const PAUSE = 1_000;

/**
 * Hands a target's messages to `handler`, one after the other. Each is acknowledged after the handler has resolved, so
 * it is delivered at least once; a rejection is reported and the message comes again. The returned function ends it
 * and resolves when no handler runs any more.
 */
export function consume(
  core: Core,
  target: string,
  handler: (message: StoredMessage) => void | Promise<void>,
): () => Promise<void> {
  const stop = new AbortController();
  let wake = () => {};
  const unsubscribe = core.outbox.subscribe(target, () => wake());

  async function drain(): Promise<void> {
    while (!stop.signal.aborted) {
      // Registered before looking, so that a message that comes in between isn't missed.
      const more = new Promise<void>((resolve) => (wake = resolve));
      const messages = await core.store.messages(target, PAGE);
      for (const message of messages) {
        if (stop.signal.aborted) return;
        await handler(message);
        await core.store.acknowledge(target, message.position);
      }
      if (messages.length === 0) await more;
    }
  }

  async function work(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await drain();
      } catch (error) {
        core.problem({ error });
        await new Promise<void>((resolve) => {
          wake = resolve;
          core.alarms.set(core.clock.now() + PAUSE, resolve);
        });
      }
    }
  }

  const working = work();
  const end = async () => {
    stop.abort();
    unsubscribe();
    wake();
    core.consumers.delete(end);
    await working;
  };
  core.consumers.add(end);
  return end;
}
