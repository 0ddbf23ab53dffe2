import { requireText } from "../engine/arguments.js";
import type { Core } from "../engine/core.js";
import { RunEndedError } from "../errors/engine.js";
import { endsRun } from "../engine/load.js";
import type { HookRow } from "../store/types.js";

/** A step that was asked to answer and never does must not hold the caller for ever, in milliseconds. */
const MANUAL_WAIT = 120_000;

/** The answer to a request for a webhook that doesn't exist, or whose run has ended. */
export const notPending = (): Response =>
  Response.json({ error: "Webhook not pending.", ok: false }, { status: 404 });

/** The answer to anything but a POST: probes of browsers and proxies, and links that somebody opens, are no payloads. */
const onlyPost = (): Response =>
  Response.json({ error: "Webhooks take POST.", ok: false }, { status: 405, headers: { allow: "POST" } });

const accepted = () => new Response(null, { status: 202 });

/**
 * Delivers one request to a webhook and gives its answer: 202, the `respondWith` response, or what the body or a
 * step answers. A repeated `Idempotency-Key` isn't delivered again, and only a POST is delivered at all.
 */
export async function resumeWebhook(core: Core, token: string, request: Request): Promise<Response> {
  requireText("resumeWebhook()", "a webhook's token", token);
  if (!(request instanceof Request))
    throw new TypeError("resumeWebhook() takes a Request as its second argument.");
  if (request.method !== "POST") return onlyPost();
  const hook = await core.store.hook(token);
  if (!hook?.webhook) return notPending();
  const idempotencyKey = request.headers.get("idempotency-key") ?? undefined;
  if (idempotencyKey !== undefined && (await core.store.delivered(token, idempotencyKey)))
    return repeated(core, hook);
  const value = await core.values.encodeWithin(request, "request", "The request");
  const answer = new Promise<Answer>((resolve, reject) => {
    core
      .deliver(hook.runId, {
        type: "payload",
        key: hook.key,
        value,
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        ack: { resolve: (taken) => resolve(answerOf(core, hook, taken)), reject },
      })
      .catch(reject);
  });
  try {
    return await (
      await answer
    )();
  } catch (error) {
    if (error instanceof RunEndedError) return notPending();
    if (endsRun(error)) {
      core.problem({ runId: hook.runId, error });
      return notPending();
    }
    throw error;
  }
}

type Answer = () => Promise<Response>;

/** Called while the transaction's effects run, so that an answer given in that same transaction isn't missed. */
function answerOf(core: Core, hook: HookRow, taken: { request?: string; repeated?: boolean }): Answer {
  if (taken.repeated) return async () => repeated(core, hook);
  if (taken.request === undefined) return async () => fixedAnswer(core, hook);
  const manual = waitForAnswer(core, `${hook.runId}/${taken.request}`);
  return () => manual;
}

function waitForAnswer(core: Core, name: string): Promise<Response> {
  return new Promise((resolve) => {
    const respond = (text: string | undefined) => {
      core.responders.delete(name);
      resolve(text === undefined ? accepted() : (core.values.plain().decode(text) as Response));
    };
    core.responders.set(name, respond);
    core.alarms.set(core.clock.now() + MANUAL_WAIT, () => {
      if (core.responders.get(name) !== respond) return;
      core.responders.delete(name);
      resolve(Response.json({ error: "The workflow did not answer in time.", ok: false }, { status: 504 }));
    });
  });
}

function fixedAnswer(core: Core, hook: HookRow): Response {
  if (hook.respondWith === undefined || hook.respondWith === "manual") return accepted();
  return core.values.plain().decode(hook.respondWith) as Response;
}

/** A manual answer was given to the first delivery; a repeat is only told that it arrived. */
const repeated = (core: Core, hook: HookRow): Response => fixedAnswer(core, hook);
