import type { HookInfo } from "eve/internal/workflow-api";
import { HookNotFoundError, RunEndedError } from "../errors/engine.js";
import { requireText } from "../engine/arguments.js";
import type { Core } from "../engine/core.js";
import type { HookRow } from "../store/types.js";

async function liveHook(core: Core, token: string): Promise<HookRow> {
  const hook = await core.store.hook(token);
  if (!hook) throw new HookNotFoundError(token);
  return hook;
}

function infoOf(core: Core, { token, runId, key, webhook, metadata }: HookRow): HookInfo {
  return {
    token,
    runId,
    hookId: `${runId}/${key}`,
    isWebhook: webhook,
    ...(metadata === undefined ? {} : { metadata: core.values.plain().decode(metadata) }),
  };
}

/** What is known of a live hook. Rejects with `HOOK_NOT_FOUND`. */
export async function getHookByToken(core: Core, token: string): Promise<HookInfo> {
  requireText("getHookByToken()", "a hook's token", token);
  return infoOf(core, await liveHook(core, token));
}

/** Delivers one payload; resolves once it is recorded. Rejects with `HOOK_NOT_FOUND`, `SERIALIZATION_FAILED`, `VALUE_TOO_LARGE`. */
export async function resumeHook(core: Core, token: string, payload: unknown): Promise<HookInfo> {
  requireText("resumeHook()", "a hook's token", token);
  const hook = await liveHook(core, token);
  const value = await core.values.encodeWithin(payload, "payload", "The payload");
  try {
    await core.request<object>(hook.runId, (ack) => ({ type: "payload", key: hook.key, value, ack }));
  } catch (error) {
    // The hook went between the look and the delivery.
    if (error instanceof RunEndedError) throw new HookNotFoundError(token);
    throw error;
  }
  return infoOf(core, hook);
}
