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
  /** Calls `fire` once, `ms` from now. A timer that is set keeps the process alive: a run waits for it. */
  setTimer(ms: number, fire: () => void): Timer;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer(ms, fire) {
    const handle = setTimeout(fire, ms);
    return { cancel: () => clearTimeout(handle) };
  },
};
