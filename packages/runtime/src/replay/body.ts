import type { WorkflowBundle } from "./bundle.js";
import { createReplayContext, pump, type ReplayContext } from "./context.js";
import { BodyStateError, BodyTimeoutError } from "./errors.js";
import type { Body, BodyHost, BodyStart, Delivery, PumpResult } from "./protocol.js";
import type { BundleFunction, RealmApi } from "../realm/border.js";

export interface BodyOptions {
  /** Limit for one pump in milliseconds, for `eve replay` and `eve dev`. It costs 55–440 µs per pump. */
  timeout?: number;
}

/**
 * A fresh context for one run. Nothing of the body runs before the first `pump({ type: "start", … })`.
 *
 * @example
 * const body = createBody(start, bundle, host);
 * let { operations, outcome } = body.pump({ type: "start", at: start.startedAt });
 * ({ operations, outcome } = body.pump({ type: "resolve", at: Date.now(), key, value }));
 *
 * `pump` throws BodyTimeoutError when `timeout` is exceeded (the body is unusable from then on) and
 * BodyStateError when it is called out of order.
 */
export function createBody(
  start: BodyStart,
  bundle: WorkflowBundle,
  host: BodyHost,
  options: BodyOptions = {},
): Body {
  let live: ReplayContext | undefined = createReplayContext({
    start: JSON.stringify(start),
    hookToken: (key) => host.hookToken(key),
    webhookUrl: (key, token) => host.webhookUrl(key, token),
  });
  let state: "new" | "idle" | "running" | "ended" | "broken" = "new";
  const who = `run ${start.runId}`;

  function check(delivery: Delivery): ReplayContext {
    if (!live) throw new BodyStateError(`The body of ${who} was disposed.`);
    if (state === "running")
      throw new BodyStateError(`The body of ${who} is running: deliver when it is idle.`);
    if (state === "ended") throw new BodyStateError(`The body of ${who} has ended; nothing can reach it.`);
    if (state === "broken") throw new BodyStateError(`The body of ${who} was stopped in the middle.`);
    if ((delivery.type === "start") !== (state === "new")) {
      throw new BodyStateError(`The first delivery of ${who}, and only the first, has to be "start".`);
    }
    return live;
  }

  return {
    runId: start.runId,

    pump(delivery) {
      const { context, api } = check(delivery);
      state = "running";
      try {
        if (delivery.type === "start") {
          api.start(delivery.at, bundle.script.runInContext(context) as BundleFunction);
        } else {
          deliver(api, delivery);
        }
        pump(context, options.timeout);
      } catch (error) {
        state = "broken";
        if ((error as { code?: unknown }).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
          throw new BodyTimeoutError(start.runId, start.workflowId, options.timeout ?? 0);
        }
        throw error;
      }
      const result = collect(api);
      state = result.outcome ? "ended" : "idle";
      return result;
    },

    dispose() {
      live = undefined;
    },
  };
}

function deliver(api: RealmApi, delivery: Exclude<Delivery, { type: "start" }>): void {
  switch (delivery.type) {
    case "resolve":
    case "payload":
      return api.deliver(delivery.at, delivery.type, delivery.key, delivery.value);
    case "reject":
      return api.deliver(delivery.at, delivery.type, delivery.key, delivery.error);
    case "hook-ready":
      return api.deliver(delivery.at, delivery.type, delivery.key);
    case "hook-conflict":
      return api.deliver(
        delivery.at,
        delivery.type,
        delivery.key,
        delivery.token,
        delivery.runId ?? undefined,
      );
    case "abort":
      return api.deliver(delivery.at, delivery.type, delivery.signal, delivery.reason);
  }
}

function collect(api: RealmApi): PumpResult {
  const text = api.collect();
  return text === "" ? { operations: [], console: [] } : (JSON.parse(text) as PumpResult);
}
