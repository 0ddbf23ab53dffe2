import type { Clock, Timer } from "../clock/clock.js";

interface Pending {
  at: number;
  order: number;
  fire: () => void;
}

/** A clock that stands still until it is moved. */
export interface TestClock extends Clock {
  /** Moves time on and fires what falls due on the way, letting everything settle in between. */
  advance(ms: number): Promise<void>;
  /** Sets the wall clock without any time passing: timers stay as far away as they were. */
  jump(ms: number): void;
  /** Lets pending microtasks, I/O callbacks, commits and timers that are due happen; no time passes. */
  settle(): Promise<void>;
  /** Number of timers that are set. */
  readonly timers: number;
}

/** Turns of the event loop that are enough for a commit and what follows from it. */
const TURNS = 12;

/** A test clock; starts at 2026-01-01T00:00:00Z unless told otherwise. */
export function createTestClock(start = Date.UTC(2026, 0, 1)): TestClock {
  let elapsed = 0;
  let offset = start;
  let order = 0;
  const pending = new Set<Pending>();

  async function turns(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  function next(limit: number): Pending | undefined {
    let first: Pending | undefined;
    for (const timer of pending) {
      if (timer.at > limit) continue;
      if (!first || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer;
    }
    return first;
  }

  async function advance(ms: number): Promise<void> {
    const target = elapsed + ms;
    await turns();
    for (let timer = next(target); timer; timer = next(target)) {
      pending.delete(timer);
      elapsed = Math.max(elapsed, timer.at);
      timer.fire();
      await turns();
    }
    elapsed = target;
    await turns();
  }

  return {
    now: () => offset + elapsed,
    setTimer(ms, fire): Timer {
      const timer = { at: elapsed + Math.max(0, ms), order: (order += 1), fire };
      pending.add(timer);
      return { cancel: () => void pending.delete(timer) };
    },
    advance,
    jump(ms) {
      offset += ms;
    },
    settle: () => advance(0),
    get timers() {
      return pending.size;
    },
  };
}
