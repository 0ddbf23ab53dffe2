import type { Clock, Timer } from "../clock/clock.js";

/** The longest single wait: the wall clock is looked at again at least this often, so a jump is noticed. */
export const LONGEST_WAIT = 60_000;

interface Alarm {
  at: number;
  order: number;
  fire: () => void;
}

/**
 * Every timed thing of the engine on one timer of the process. Due times are wall-clock times.
 * An alarm can't be called off: what it calls looks whether there is still something to do.
 */
export class Alarms {
  readonly #clock: Clock;
  readonly #heap: Alarm[] = [];
  #order = 0;
  #timer: Timer | undefined;
  #armedFor = Infinity;
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `fire` when the wall clock reaches `at` (epoch milliseconds), never synchronously. */
  set(at: number, fire: () => void): void {
    push(this.#heap, { at, order: (this.#order += 1), fire });
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#heap.length = 0;
    this.#timer?.cancel();
  }

  #arm(): void {
    const next = this.#heap[0];
    if (this.#closed || !next) return;
    if (this.#timer && this.#armedFor <= next.at) return;
    this.#timer?.cancel();
    const wait = Math.min(LONGEST_WAIT, Math.max(0, next.at - this.#clock.now()));
    this.#armedFor = next.at;
    this.#timer = this.#clock.setTimer(wait, () => this.#ring());
  }

  #ring(): void {
    this.#timer = undefined;
    this.#armedFor = Infinity;
    const now = this.#clock.now();
    const due: Alarm[] = [];
    for (let next = this.#heap[0]; next && next.at <= now; next = this.#heap[0]) {
      due.push(next);
      pop(this.#heap);
    }
    for (const alarm of due) alarm.fire();
    this.#arm();
  }
}

const earlier = (a: Alarm, b: Alarm) => a.at < b.at || (a.at === b.at && a.order < b.order);

function push(heap: Alarm[], alarm: Alarm): void {
  let child = heap.push(alarm) - 1;
  while (child > 0) {
    const parent = (child - 1) >> 1;
    const above = heap[parent] as Alarm;
    if (!earlier(alarm, above)) break;
    heap[child] = above;
    child = parent;
  }
  heap[child] = alarm;
}

function pop(heap: Alarm[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let hole = 0;
  for (;;) {
    const left = 2 * hole + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const least = right < heap.length && earlier(heap[right] as Alarm, heap[left] as Alarm) ? right : left;
    if (!earlier(heap[least] as Alarm, last)) break;
    heap[hole] = heap[least] as Alarm;
    hole = least;
  }
  heap[hole] = last;
}
