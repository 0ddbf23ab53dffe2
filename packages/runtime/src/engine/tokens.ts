import type { Actor } from "./actor.js";

/** Live hooks of runs that were in memory: token → run. Others are found by the store at the commit. */
export class Tokens {
  readonly #owners = new Map<string, string>();

  owner(token: string): string | undefined {
    return this.#owners.get(token);
  }

  /** The run has a live hook with this token. */
  hold(actor: Actor, token: string): void {
    this.#owners.set(token, actor.runId);
    actor.tokens.add(token);
  }

  drop(actor: Actor, token: string): void {
    this.#owners.delete(token);
    actor.tokens.delete(token);
  }

  dropAll(actor: Actor): void {
    for (const token of actor.tokens) this.drop(actor, token);
  }

  /** The store knows of another owner. */
  taken(token: string, owner: string): void {
    this.#owners.set(token, owner);
  }
}
