import { RunStalledError } from "../errors/engine.js";
import type { Store, TimerRow } from "../store/types.js";
import type { Alarms } from "./alarms.js";

/** Rows taken up at a time. */
const PAGE = 500;
/** Pause before a timer is tried again whose run couldn't be told of it, in milliseconds. */
const PAUSE = 5_000;

/**
 * The timers of all runs, hot and parked. Only the next due time is kept in memory: a parked run costs nothing.
 */
export class StoreTimers {
  readonly #store: Store;
  readonly #alarms: Alarms;
  readonly #now: () => number;
  readonly #fire: (row: TimerRow) => Promise<void>;
  readonly #problem: (error: unknown) => void;
  readonly #inFlight = new Set<string>();
  #next = Infinity;
  #closed = false;

  constructor(options: {
    store: Store;
    alarms: Alarms;
    now(): number;
    /** Resolves when the run's log holds what the timer was for. */
    fire(row: TimerRow): Promise<void>;
    problem(error: unknown): void;
  }) {
    this.#store = options.store;
    this.#alarms = options.alarms;
    this.#now = () => options.now();
    this.#fire = (row) => options.fire(row);
    this.#problem = (error) => options.problem(error);
  }

  /** There is a timer due at this time. */
  arm(dueAt: number): void {
    if (this.#closed || dueAt >= this.#next) return;
    this.#next = dueAt;
    this.#alarms.set(dueAt, () => void this.#ring(dueAt));
  }

  /** Arms the earliest of the stored timers. */
  async load(): Promise<void> {
    const due = await this.#store.nextDue(-Infinity);
    if (due !== undefined) this.arm(due);
  }

  /** The timers of a run that was set aside count again. */
  release(runId: string): void {
    for (const name of this.#inFlight) if (name.startsWith(`${runId} `)) this.#inFlight.delete(name);
    this.arm(this.#now());
  }

  close(): void {
    this.#closed = true;
  }

  async #ring(dueAt: number): Promise<void> {
    // A later alarm than the one that counts now: something earlier has come since.
    if (this.#closed || dueAt !== this.#next) return;
    this.#next = Infinity;
    try {
      const now = this.#now();
      const rows = await this.#store.dueTimers(now, this.#inFlight.size + PAGE);
      const fresh = rows.filter((row) => !this.#inFlight.has(nameOf(row)));
      for (const row of fresh) this.#start(row);
      const next = fresh.length >= PAGE ? now : await this.#store.nextDue(now);
      if (next !== undefined) this.arm(next);
    } catch (error) {
      if (this.#closed) return;
      this.#problem(error);
      this.arm(this.#now() + PAUSE);
    }
  }

  #start(row: TimerRow): void {
    const name = nameOf(row);
    this.#inFlight.add(name);
    this.#fire(row).then(
      () => this.#inFlight.delete(name),
      (error: unknown) => {
        // A run that was set aside gets its timers when it is taken up again.
        if (this.#closed || error instanceof RunStalledError) return;
        this.#inFlight.delete(name);
        this.#problem(error);
        this.arm(this.#now() + PAUSE);
      },
    );
  }
}

const nameOf = ({ runId, key }: TimerRow) => `${runId} ${key}`;
