import type { Bundle } from "../bundle/bundle.js";
import {
  evaluateTools,
  type EvaluateOptions,
  type EvaluationChild,
  type ToolFacts,
} from "../evaluate/index.js";

type Settings = Omit<EvaluateOptions, "server" | "signal" | "onFed" | "child">;

/**
 * The evaluation that runs beside the rest of a build: begun as soon as there is a server bundle, begun again when
 * that bundle has to be made anew.
 */
export class ServerEvaluation {
  readonly #settings: Settings;
  #spare: EvaluationChild | undefined;
  #current = new AbortController();
  #facts: Promise<{ value: Map<string, ToolFacts> } | { error: unknown }> = Promise.resolve({
    value: new Map(),
  });

  /** `child` was started ahead of time. */
  constructor(settings: Settings, child?: EvaluationChild) {
    this.#settings = settings;
    this.#spare = child;
  }

  /** Evaluates this bundle instead of an earlier one. Fulfilled when the child process has got it. */
  async start(server: Bundle): Promise<void> {
    this.#current.abort();
    const { signal } = (this.#current = new AbortController());
    const child = this.#spare;
    this.#spare = undefined;
    await new Promise<void>((onFed) => {
      const options = { ...this.#settings, server, signal, onFed, ...(child === undefined ? {} : { child }) };
      // Kept as a value until it is asked for: a build that fails before that has its own error to report.
      this.#facts = evaluateTools(options).then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      );
      void this.#facts.then(() => onFed());
    });
  }

  /** What the tools of the last bundle say, by key; empty when none was started. */
  async facts(): Promise<Map<string, ToolFacts>> {
    const outcome = await this.#facts;
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Ends what still runs. */
  dispose(): void {
    this.#current.abort();
    this.#spare?.dispose();
  }
}
