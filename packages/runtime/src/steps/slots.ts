/** A run with the runs above it, outermost first, itself last. */
export type Lineage = readonly string[];

/** Permission to run one step. */
export interface Slot {
  readonly lineage: Lineage;
  /** Set while the step waits for a run: the slot serves that run and what it starts. */
  lentTo?: string;
  /** The borrower is using it. */
  borrowed?: boolean;
  /** The lender is ready to go on and waits for the borrower to finish. */
  reclaim?: () => void;
  /** The slot this one was borrowed from. */
  lender?: Slot;
  released?: boolean;
}

/**
 * How many steps run at once. A step that waits for a run lends its slot to that run's subtree, so that a
 * chain of runs that wait for each other never needs more slots than there are.
 */
export class StepSlots {
  readonly #limit: number;
  #used = 0;
  readonly #lent = new Set<Slot>();
  readonly #onFree: () => void;

  /** `onFree` is called whenever a waiting step may now find a slot. */
  constructor(limit: number, onFree: () => void) {
    if (!Number.isInteger(limit) || limit < 1)
      throw new RangeError("stepConcurrency must be an integer of at least 1");
    this.#limit = limit;
    this.#onFree = onFree;
  }

  /** Slots in use: of steps that run, or wait for a run they lent theirs to. */
  get used(): number {
    return this.#used;
  }

  /** A slot for a step of this run, or undefined when it must wait. */
  reserve(lineage: Lineage): Slot | undefined {
    if (this.#used < this.#limit) {
      this.#used += 1;
      return { lineage };
    }
    for (const lender of this.#lent) {
      if (lender.borrowed || lender.reclaim || !lender.lentTo || !lineage.includes(lender.lentTo)) continue;
      lender.borrowed = true;
      return { lineage, lender };
    }
    return undefined;
  }

  /** The step is done (or its run ended). Repeated calls do nothing. */
  release(slot: Slot): void {
    if (slot.released) return;
    slot.released = true;
    this.#lent.delete(slot);
    if (slot.borrowed) {
      // Whoever borrowed it keeps it as a slot of its own; it was counted once already.
      slot.borrowed = false;
      return;
    }
    this.#return(slot.lender);
  }

  /** Lends a running step's slot to the run it waits for; `takeBack` must be awaited before the step goes on. */
  lend(slot: Slot, runId: string): void {
    if (slot.released || slot.lentTo) return;
    slot.lentTo = runId;
    this.#lent.add(slot);
    this.#onFree();
  }

  /** Resolves when the slot is the step's own again. */
  async takeBack(slot: Slot): Promise<void> {
    if (slot.borrowed) await new Promise<void>((resolve) => (slot.reclaim = resolve));
    delete slot.lentTo;
    delete slot.reclaim;
    this.#lent.delete(slot);
  }

  #return(lender: Slot | undefined): void {
    if (lender && !lender.released) {
      lender.borrowed = false;
      lender.reclaim?.();
    } else this.#used -= 1;
    this.#onFree();
  }
}
