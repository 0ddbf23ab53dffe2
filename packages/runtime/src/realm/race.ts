/** `Promise.race` and `Promise.any` that let go of the hooks they lost to something else. */
import { HOOK } from "../values/describe.js";
import { replaced } from "./locale.js";
import { RacedPayload, type RaceEntry } from "./line.js";

type Combinator = (this: PromiseConstructor, items: Iterable<unknown>) => Promise<unknown>;

const isHook = (item: unknown): item is { [HOOK](): RaceEntry } =>
  typeof item === "object" && item !== null && HOOK in item;

function releasing(name: "race" | "any"): Combinator {
  const real = Promise[name] as Combinator;
  return function (items) {
    let list: unknown[];
    try {
      list = [...items];
    } catch (error) {
      return this.reject(error);
    }
    if (!list.some(isHook)) return real.call(this, list);
    const entries = list.map((item) => (isHook(item) ? item[HOOK]() : undefined));
    const result = real.call(
      this,
      list.map((item, n) => entries[n]?.promise ?? item),
    );
    const release = (winner: unknown): void => {
      // The last first: what several entries of one hook give back stays in its order.
      for (const entry of entries.toReversed()) entry?.release(winner);
    };
    return result.then(
      (winner) => {
        release(winner);
        return winner instanceof RacedPayload ? winner.value : winner;
      },
      (error: unknown) => {
        release(undefined);
        throw error;
      },
    );
  };
}

export function installRaces(): void {
  for (const name of ["race", "any"] as const) {
    const value = releasing(name);
    Object.defineProperty(value, "name", { value: name });
    replaced(Promise, name, value);
  }
}
