import v8 from "node:v8";
import vm from "node:vm";

/** What the context of a run leaves behind, in bytes: see the realm's README. */
const CONTEXT = 220 * 1024;
/** After so many evictions it is worth while to collect; of a large heap, after as many as leave half of it behind. */
const WORTHWHILE = 100;
/** Every how many evictions the heap is looked at. */
const LOOK = 64;
/** The heap may grow by so much beyond what was in use before, in bytes; or to twice of it, if that is more. */
const GROWTH = 192 * 1024 * 1024;
/** How long nothing must be evicted until the process counts as at rest, in milliseconds. */
const REST = 250;
/** V8 gives pages back to the system only in the collections after the one that emptied them. */
const PASSES = 3;

export interface HeapAccess {
  /** Bytes in use, garbage included. */
  used(): number;
  collect(): void;
}

/**
 * Looks after the memory of evicted runs. Their contexts have lived long enough for V8 to leave them alone until the
 * heap is several times as large: a burst of runs that start and then wait took 0.9 GB where 0.12 GB were in use. So
 * they are collected early once, from which V8 learns how little survives, then whenever the process comes to rest.
 */
export class ContextGarbage {
  readonly #heap: HeapAccess;
  /** Evictions since the last collection. */
  #evicted = 0;
  /** What was in use at first, then after each collection. */
  #floor: number;
  #collected = false;
  #passes = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(heap: HeapAccess = processHeap()) {
    this.#heap = heap;
    this.#floor = heap.used();
  }

  /** A run was evicted. */
  add(): void {
    this.#evicted += 1;
    if (this.#evicted < Math.max(WORTHWHILE, this.#floor / 2 / CONTEXT)) return;
    if (!this.#collected || (this.#evicted % LOOK === 0 && this.#hasGrown())) this.#collect();
    this.#passes = PASSES;
    if (this.#timer) this.#timer.refresh();
    else this.#arm();
  }

  #hasGrown(): boolean {
    return this.#heap.used() > this.#floor + Math.max(this.#floor, GROWTH);
  }

  #arm(): void {
    this.#timer = setTimeout(() => this.#rest(), REST).unref();
  }

  #rest(): void {
    this.#timer = undefined;
    this.#passes -= 1;
    this.#collect();
    if (this.#passes > 0) this.#arm();
  }

  #collect(): void {
    this.#evicted = 0;
    this.#collected = true;
    this.#heap.collect();
    this.#floor = this.#heap.used();
  }
}

function processHeap(): HeapAccess {
  let collect: (() => void) | undefined;
  return {
    used: () => v8.getHeapStatistics().used_heap_size,
    collect: () => (collect ??= collector())(),
  };
}

/** V8's own collection, which Node offers under a flag only. The flag is taken back: no later context sees `gc`. */
function collector(): () => void {
  const given = (globalThis as { gc?: () => void }).gc;
  if (given) return given;
  v8.setFlagsFromString("--expose-gc");
  try {
    return vm.runInNewContext("gc") as () => void;
  } finally {
    v8.setFlagsFromString("--no-expose-gc");
  }
}
