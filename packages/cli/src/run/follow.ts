import type { OpenQuestion, RunEvent, RunHandle, TransientEvent } from "@eve/runtime";
import type { Answers, Asked } from "../terminal/answers.js";

/** Why following a run ended. */
export type Followed = "ended" | "left-waiting" | "interrupted";

/** What the terminal shows of a run while it goes on. */
export interface RunView {
  /** A question stands open: whoever wants to answer it from elsewhere needs an address. */
  question(): void;
  progress(value: unknown): void;
  step(event: Extract<RunEvent, { type: "step" }>): void;
  wait(event: Extract<RunEvent, { type: "sleep" | "hook" }>): void;
}

/**
 * Follows a run to its end and answers its questions, one at a time, oldest first. When `answers` has none left,
 * the run goes on as far as it can and is then left waiting.
 *
 * `since` is the id of the last event that was shown already; earlier ones aren't shown again.
 */
export async function followRun(
  handle: RunHandle,
  answers: Answers,
  view: RunView,
  options: { signal: AbortSignal; since?: string | undefined },
): Promise<Followed> {
  const stop = new AbortController();
  const asking = new Asking(handle, answers);
  const events = showEvents(handle, view, asking, {
    signal: AbortSignal.any([stop.signal, options.signal]),
    since: options.since,
  });
  try {
    // Whichever comes first: the run's end, nobody left to ask, or Ctrl-C.
    const outcome = await Promise.race([
      events.then(() => "ended" as const),
      asking.run(),
      interrupted(options.signal),
    ]);
    return outcome;
  } finally {
    stop.abort();
    asking.stop();
  }
}

function interrupted(signal: AbortSignal): Promise<"interrupted"> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve("interrupted");
    else signal.addEventListener("abort", () => resolve("interrupted"), { once: true });
  });
}

async function showEvents(
  handle: RunHandle,
  view: RunView,
  asking: Asking,
  options: { signal: AbortSignal; since: string | undefined },
): Promise<void> {
  const after = options.since === undefined ? {} : { after: options.since };
  for await (const event of handle.events({ ...after, signal: options.signal })) show(event, view, asking);
  // The stream ended because the caller stopped it: that isn't the run's end.
  if (options.signal.aborted) await new Promise<never>(() => undefined);
}

function show(event: RunEvent | TransientEvent, view: RunView, asking: Asking): void {
  switch (event.type) {
    case "progress":
      return view.progress(event.value);
    case "step":
      return view.step(event);
    case "sleep":
    case "hook":
      return view.wait(event);
    case "question":
      view.question();
      return asking.changed();
    case "question-resolved":
      return asking.changed();
    default:
  }
}

/** Asks the open questions of one run in turn. */
class Asking {
  readonly #handle: RunHandle;
  readonly #answers: Answers;
  /** Takes the question on screen away. */
  #current: { requestId: string; withdraw: AbortController } | undefined;
  #changed = deferred();
  #stopped = false;

  constructor(handle: RunHandle, answers: Answers) {
    this.#handle = handle;
    this.#answers = answers;
  }

  /** The set of open questions may have changed. */
  changed(): void {
    const { resolve } = this.#changed;
    this.#changed = deferred();
    resolve();
    if (this.#current) void this.#withdrawIfClosed(this.#current);
  }

  stop(): void {
    this.#stopped = true;
    this.#current?.withdraw.abort();
    this.changed();
  }

  /** Resolves when nobody can be asked any more and the run has come to rest; never for a run without such an end. */
  async run(): Promise<"left-waiting" | "interrupted"> {
    while (!this.#stopped) {
      const changed = this.#changed.promise;
      const [question] = await this.#handle.questions();
      if (!question) {
        await changed;
        continue;
      }
      const reply = await this.#ask(question);
      if (reply === "interrupted") return "interrupted";
      if (reply === "end-of-input") {
        if ((await this.#handle.idle()) === "waiting" && (await this.#handle.questions()).length > 0)
          return "left-waiting";
      } else if (reply !== "withdrawn") await this.#handle.answer(question.requestId, reply);
    }
    return await new Promise<never>(() => undefined);
  }

  async #ask({ requestId, request }: OpenQuestion): Promise<Asked | "withdrawn"> {
    const withdraw = new AbortController();
    this.#current = { requestId, withdraw };
    try {
      const reply = await this.#answers.ask(request, withdraw.signal);
      return withdraw.signal.aborted ? "withdrawn" : reply;
    } finally {
      this.#current = undefined;
    }
  }

  async #withdrawIfClosed({
    requestId,
    withdraw,
  }: {
    requestId: string;
    withdraw: AbortController;
  }): Promise<void> {
    const open = await this.#handle.questions();
    if (!open.some((question) => question.requestId === requestId)) withdraw.abort();
  }
}

/** `Promise.withResolvers`, which Node 20 doesn't have. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
