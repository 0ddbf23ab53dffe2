import { WEBHOOK_PATH } from "../server/paths.js";
import { StreamUnknown, type Streams } from "../streams/streams.js";
import { AddressNeededError } from "./loop.js";
import type { WebhookBase } from "./options.js";

/** What a turn may turn out to need before it can be done: the address of the server, where a stream has got to. */
export class MissingFacts {
  readonly #webhooks: WebhookBase | undefined;
  readonly #streams: Pick<Streams, "prepare">;
  #lacking: AddressNeededError | undefined;

  constructor(webhooks: WebhookBase | undefined, streams: Pick<Streams, "prepare">) {
    this.#webhooks = webhooks;
    this.#streams = streams;
  }

  /** The address of a webhook. Throws when it isn't known yet. */
  webhookUrl(token: string): string {
    const base = this.#webhooks?.current();
    if (base === undefined) {
      // The realm rebuilds what its host throws, so the reason is kept here until the pump is over.
      this.#lacking = new AddressNeededError();
      throw this.#lacking;
    }
    return `${base.replace(/\/+$/, "")}${WEBHOOK_PATH}/${encodeURIComponent(token)}`;
  }

  /** After a pump: throws what it lacked. */
  check(): void {
    const lacking = this.#lacking;
    this.#lacking = undefined;
    if (lacking) throw lacking;
  }

  /** Resolves once what a turn lacked is there; undefined when `error` is something else. */
  await(error: unknown): Promise<void> | undefined {
    if (error instanceof StreamUnknown) return this.#streams.prepare(error.runId, error.stream);
    if (!(error instanceof AddressNeededError)) return undefined;
    if (this.#webhooks) return this.#webhooks.open().then(() => undefined);
    const reason = "Webhooks aren't served here: use `eve run`, `eve dev` or `eve start`.";
    return Promise.reject(new Error(reason));
  }
}
