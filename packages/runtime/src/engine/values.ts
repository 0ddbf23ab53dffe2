import type { ServerModule } from "../builds/server-module.js";
import type { StepAuthorization } from "./options.js";
import { RunSignals } from "../signals/run-signals.js";
import { stepScope } from "../steps/scope.js";
import { hostEnvironment, type HostValues } from "../steps/environment.js";
import { createCodec, OversizeError, type Codec } from "../values/index.js";
import { describeStream, openStream } from "../streams/handles.js";
import type { Actor } from "./actor.js";
import type { Core } from "./core.js";
import { ValueTooLargeError } from "../errors/engine.js";
import { RuntimeError } from "../errors/base.js";

/** What `ctx.getToken()` and `ctx.requireAuth()` do where nobody can sign in. */
const NO_AUTHORIZATION: StepAuthorization = {
  getToken: () => Promise.reject(new AuthorizationUnavailableError("ctx.getToken()")),
  requireAuth: () => {
    throw new AuthorizationUnavailableError("ctx.requireAuth()");
  },
};

class AuthorizationUnavailableError extends RuntimeError {
  readonly code = "AUTHORIZATION_UNAVAILABLE";

  constructor(call: string) {
    super(`${call} isn't available in this process: there is no session that could sign in.`, {
      action: "Call the tool in a session of `eve dev` or `eve start`.",
    });
  }
}

/** Values of runs on the host: codecs, and errors as text and back. */
export class Values {
  readonly #core: Core;
  /** Made once: it takes longer than what is mostly done with it. */
  #plain: Codec | undefined;

  constructor(core: Core) {
    this.#core = core;
  }

  /** The codec of a run; with the build's host code its classes and steps revive too. */
  codec(actor: Actor, server?: ServerModule): Codec {
    return createCodec(hostEnvironment(this.#hostValues(actor), server));
  }

  /** A codec that belongs to no run: for payloads and results. */
  plain(server?: ServerModule): Codec {
    if (server) return createCodec(hostEnvironment(this.#hostValues(undefined), server));
    return (this.#plain ??= createCodec(hostEnvironment(this.#hostValues(undefined))));
  }

  /**
   * devalue text of a value that belongs to no run. Rejects with `SERIALIZATION_FAILED`, `VALUE_TOO_LARGE`.
   *
   * @param root what it is called in messages about a part of it: `payload`
   * @param what the same of the whole: `The payload`
   */
  async encodeWithin(value: unknown, root: string, what: string): Promise<string> {
    const { valueSize } = this.#core.limits;
    let size: number | undefined;
    try {
      const text = await this.plain().encodeAsync(value, root);
      if (text.length <= valueSize) return text;
      size = text.length;
    } catch (error) {
      if (!(error instanceof OversizeError)) throw error;
    }
    throw new ValueTooLargeError(what, size, valueSize);
  }

  /** devalue text of an error of the engine; of its stack only frames of the author's files are left. */
  encodeError(actor: Actor, error: unknown): string {
    return actor.codec().encode(error, "error");
  }

  #hostValues(actor: Actor | undefined): HostValues {
    const core = this.#core;
    const runId = actor?.runId ?? "";
    return {
      runId,
      get signals() {
        // Signals of no run have nothing in common: their ids are those of any run.
        return actor?.signals ?? new RunSignals(runId);
      },
      recordedAbort(id) {
        if (!actor?.state.aborted.has(id)) return undefined;
        const reason = actor.state.aborted.get(id);
        return { reason: reason === undefined ? undefined : actor.codec().decode(reason) };
      },
      async respond(request, response) {
        if (!actor) throw new TypeError("This request can't be answered here.");
        const text = await core.values.encodeWithin(response, "response", "The response");
        await core.request<void>(actor.runId, (ack) => ({ type: "respond", request, response: text, ack }));
      },
      openStream: (handle) => openStream(core, handle),
      describeStream,
      maxSize: core.limits.valueSize,
      // What belongs to no run may still come from a step: its code is that of a build.
      errorTexts: () => actor?.build ?? stepScope.getStore()?.build,
      authorization: core.options.authorization ?? NO_AUTHORIZATION,
    };
  }
}
