import type { WorkflowBundle } from "./bundle.js";
import { createReplayContext, pump, type ReplayContext } from "./context.js";
import { BodyStateError, BodyTimeoutError } from "./errors.js";
import type { Body, BodyHost, BodyStart, Delivery, Operation, PumpResult } from "./protocol.js";
import { observeRejections } from "./rejections.js";
import type { Watchdog } from "./watchdog.js";
import type { BundleFunction, RealmApi } from "../realm/border.js";

export interface BodyOptions {
  /** Limit for one pump in milliseconds, for `eve replay` and `eve dev`. It costs 55–440 µs per pump. */
  timeout?: number;
  /** Told about each pump, so that it can name a body that doesn't come back. */
  watchdog?: Watchdog;
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
  let live: ReplayContext | undefined = createReplayContext(start, bundle, host);
  let state: "new" | "idle" | "running" | "ended" | "broken" = "new";
  const rejections = collectRejections(live.api, host);

  function check(delivery: Delivery): ReplayContext {
    const fail = (what: string): never => {
      throw new BodyStateError(`The body of run ${start.runId} ${what}`);
    };
    if (!live) return fail("was disposed.");
    if (state === "running") return fail("is running: deliver when it is idle.");
    if (state === "ended") return fail("has ended; nothing can reach it.");
    if (state === "broken") return fail("was stopped in the middle; create a new one.");
    if ((delivery.type === "start") !== (state === "new")) {
      return fail('takes "start" as its first delivery, and only as the first.');
    }
    return live;
  }

  return {
    runId: start.runId,

    pump(delivery) {
      const { context, api } = check(delivery);
      state = "running";
      options.watchdog?.enter(start.runId, start.workflowId);
      try {
        if (delivery.type === "start") {
          const run = bundle.script.runInContext(context) as BundleFunction;
          api.start(delivery.at, delivery.replaying ?? false, run);
        } else {
          deliver(api, delivery);
        }
        pump(context, options.timeout);
      } catch (error) {
        state = "broken";
        if ((error as { code?: unknown } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") {
          throw new BodyTimeoutError(start.runId, start.workflowId, options.timeout ?? 0);
        }
        throw error;
      } finally {
        options.watchdog?.leave();
      }
      const result = collect(api);
      state = result.outcome ? "ended" : "idle";
      if (result.outcome) rejections.end();
      return result;
    },

    dispose() {
      live = undefined;
    },
  };
}

function deliver(api: RealmApi, delivery: Exclude<Delivery, { type: "start" }>): void {
  const { at, type, replaying = false } = delivery;
  switch (delivery.type) {
    case "resolve":
    case "payload":
      return api.deliver(at, replaying, type, delivery.key, delivery.value);
    case "reject":
      return api.deliver(at, replaying, type, delivery.key, delivery.error);
    case "hook-ready":
      return api.deliver(at, replaying, type, delivery.key);
    case "hook-conflict":
      return api.deliver(at, replaying, type, delivery.key, delivery.token, delivery.runId ?? undefined);
    case "abort":
    case "calls-cancelled":
      return api.deliver(at, replaying, type, delivery.signal, delivery.reason);
    case "call":
      return api.deliver(at, replaying, type, delivery.record, delivery.input);
    case "calls-ended":
      return api.deliver(at, replaying, type, delivery.reason);
  }
}

function collect(api: RealmApi): PumpResult {
  const result = api.collect();
  if (!result) return { operations: [], console: [] };
  const { outcome } = result;
  return {
    operations: copiedOperations(result.operations),
    console: copied(result.console),
    ...(outcome ? { outcome: { ...outcome } } : {}),
  };
}

/** Copies of what the body asked for. Steps are most of it: written out, they cost a fifth of a copy field by field. */
function copiedOperations(operations: readonly Operation[]): Operation[] {
  const copies: Operation[] = [];
  for (let i = 0; i < operations.length; i += 1) {
    const operation = operations[i] as Operation;
    if (operation.op === "step") {
      const { key, stepId, args, site } = operation;
      copies.push({ op: "step", key, stepId, args, site });
    } else copies.push(...copied([operation]));
  }
  return copies;
}

/** Records of the realm hold texts, numbers and lists of texts only; copies of them are the host's own. */
function copied<Item extends object>(items: readonly Item[]): Item[] {
  const copies: Item[] = [];
  for (let i = 0; i < items.length; i += 1) {
    const copy = { ...items[i] } as Item & Record<string, unknown>;
    for (const key in copy)
      if (typeof copy[key] === "object") Object.assign(copy, { [key]: [...(copy[key] as string[])] });
    copies.push(copy);
  }
  return copies;
}

/** Keeps the rejections nobody has handled yet; at the body's end the rest of them is reported. */
function collectRejections(api: RealmApi, host: BodyHost): { end(): void } {
  const unhandled = new Map<object, string>();
  let ended = false;
  const report = (error: string) => host.unhandledRejection?.(error);
  observeRejections(api.promisePrototype, {
    rejected(promise, reason) {
      const text = api.describe(reason);
      if (ended) report(text);
      else unhandled.set(promise, text);
    },
    handled: (promise) => unhandled.delete(promise),
  });
  return {
    end() {
      // Node tells a moment later which promises of the last pump were handled after all.
      setImmediate(() => {
        ended = true;
        for (const error of unhandled.values()) report(error);
        unhandled.clear();
      });
    },
  };
}
