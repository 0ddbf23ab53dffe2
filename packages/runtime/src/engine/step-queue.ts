import type { OperationKey } from "../replay/protocol.js";
import { StepSlots, type Slot } from "../steps/slots.js";
import type { Actor } from "./actor.js";
import type { Turn } from "./turn.js";

/** Steps that wait for a slot, first come first served. */
export class StepQueue {
  readonly slots: StepSlots;
  readonly #run: (actor: Actor, key: OperationKey, attempt: number, slot: Slot) => void;
  #stopped = false;
  #waiting: { actor: Actor; key: OperationKey }[] = [];

  constructor(
    concurrency: number,
    options: {
      onFree(): void;
      run(actor: Actor, key: OperationKey, attempt: number, slot: Slot): void;
    },
  ) {
    this.slots = new StepSlots(concurrency, () => {
      if (this.#waiting.length > 0) options.onFree();
    });
    this.#run = (...args) => options.run(...args);
  }

  add(actor: Actor, key: OperationKey): void {
    actor.queued.add(key);
    this.#waiting.push({ actor, key });
  }

  /** No attempt begins any more. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Gives slots to waiting steps. The start of an attempt is recorded in the transaction of this tick, and the
   * attempt begins after it: an attempt that was counted is one that may have done something.
   */
  assign(turnOf: (actor: Actor) => Turn): void {
    if (this.#stopped) return;
    const left: { actor: Actor; key: OperationKey }[] = [];
    for (const waiting of this.#waiting) {
      const { actor, key } = waiting;
      if (actor.gone || !actor.queued.has(key)) continue;
      const step = actor.state.steps.get(key);
      if (!step || step.phase === "started") {
        actor.queued.delete(key);
        continue;
      }
      // A run to be replayed first keeps its place.
      const slot = actor.stale ? undefined : this.slots.reserve(actor.lineage);
      if (!slot) left.push(waiting);
      else this.#start(turnOf(actor), key, step.attempts + 1, slot);
    }
    this.#waiting = left;
  }

  #start(turn: Turn, key: OperationKey, attempt: number, slot: Slot): void {
    const { actor } = turn;
    actor.queued.delete(key);
    turn.append({ type: "step-started", key, attempt });
    turn.slots.push(slot);
    turn.effects.push(() => {
      actor.running.set(key, { attempt, slot });
      this.#run(actor, key, attempt, slot);
    });
  }
}
