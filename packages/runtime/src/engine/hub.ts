/** Whoever follows a run in this process. */
export class Hub<Event> {
  readonly #listeners = new Map<string, Set<(event: Event) => void>>();

  /** Calls `listener` for each event of the run until the returned function is called. */
  subscribe(runId: string, listener: (event: Event) => void): () => void {
    let listeners = this.#listeners.get(runId);
    if (!listeners) this.#listeners.set(runId, (listeners = new Set()));
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(runId) === listeners) this.#listeners.delete(runId);
    };
  }

  /** The next event of the run. `stop` when nobody waits for it any more. */
  next(runId: string): { happened: Promise<Event>; stop(): void } {
    let stop = () => {};
    const happened = new Promise<Event>((resolve) => {
      stop = this.subscribe(runId, (event) => {
        stop();
        resolve(event);
      });
    });
    return { happened, stop: () => stop() };
  }

  has(runId: string): boolean {
    return this.#listeners.has(runId);
  }

  publish(runId: string, event: Event): void {
    const listeners = this.#listeners.get(runId);
    if (!listeners) return;
    for (const listener of listeners) listener(event);
  }
}
