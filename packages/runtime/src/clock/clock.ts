/** A timer that can be called off. */
export interface Timer {
  cancel(): void;
}

/**
 * The wall clock and the timers of the engine, in one place so that tests can move time by hand.
 * `now` gives epoch milliseconds and may jump either way; `setTimer` counts elapsed milliseconds.
 */
export interface Clock {
  now(): number;
  /** Calls `fire` once, `ms` from now. A running timer doesn't keep the process alive unless `ref` is set. */
  setTimer(ms: number, fire: () => void, options?: { ref?: boolean }): Timer;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, fire, options) {
    const handle = setTimeout(fire, ms);
    if (!options?.ref) handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};
