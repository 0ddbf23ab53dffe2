/** Hooks and webhooks: `await hook` takes the next payload (see `line.ts`). */
import { HOOK } from "../values/describe.js";
import { host } from "./border.js";
import { HookDisposedError, hookConflictError } from "./errors.js";
import { durableRequest } from "./http.js";
import { web } from "./lazy.js";
import { fitting } from "./limits.js";
import {
  arrive,
  close,
  createLine,
  joinedPlace,
  keep,
  newPlace,
  raceEntry,
  ready,
  type Line,
  type RaceEntry,
} from "./line.js";
import { callSite } from "./stack.js";
import { emit, nextKey } from "./state.js";
import { codec } from "./values.js";

interface HookOptions {
  token?: unknown;
  metadata?: unknown;
  isWebhook?: boolean;
  respondWith?: unknown;
}

const LONGEST_TOKEN = 512;

const ignore = (): void => undefined;

interface LiveHook {
  line: Line;
  manual: boolean;
  token: string;
  received: number;
  /** Those who ask whether the token is taken. */
  registered(conflict: { runId: string | null } | null): void;
}

const hooks = new Map<string, LiveHook>();

/** A payload or a decision of the host for a hook. */
export function deliverHook(type: string, key: string, first?: string, second?: string): void {
  const hook = hooks.get(key);
  if (!hook) return;
  if (type === "hook-ready") return hook.registered(null);
  if (type === "hook-conflict") return hook.registered({ runId: second ?? null });
  const request = `${key}/${hook.received}`;
  hook.received += 1;
  try {
    const value = codec.decode(first ?? "");
    arrive(hook.line, { value: hook.manual ? durableRequest(value, request) : value, failed: false });
  } catch (error) {
    arrive(hook.line, { error, failed: true });
  }
}

/** `globalThis[Symbol.for("WORKFLOW_CREATE_HOOK")]`. */
export function createHook(options: HookOptions = {}): object {
  const { token: given, isWebhook: webhook = false } = options;
  if (given !== undefined) checkToken(given);
  const { respondWith, metadata } = webhook
    ? webhookOptions(options)
    : { ...options, respondWith: undefined };
  const encoded = {
    ...(metadata === undefined
      ? {}
      : { metadata: fitting(codec.encode(metadata, "metadata"), "A hook's metadata") }),
    ...(respondWith === undefined ? {} : { respondWith: encodedAnswer(respondWith) }),
  };
  const key = nextKey("hook");
  const token = (given as string | undefined) ?? host.hookToken(key);
  emit({ op: "hook", key, token, webhook, ...encoded, site: callSite() });
  return hookObject(key, token, respondWith === "manual", webhook ? host.webhookUrl(key, token) : undefined);
}

/** A token is part of addresses and messages. */
function checkToken(given: unknown): void {
  const fail = (found: string): never => {
    throw new TypeError(`A hook's token is a text of 1 to ${LONGEST_TOKEN} characters; it ${found}.`);
  };
  if (typeof given !== "string") return fail(`is ${given === null ? "null" : `of type ${typeof given}`}`);
  if (given === "") return fail("is empty");
  if (given.length > LONGEST_TOKEN) return fail(`has ${given.length}`);
  if (/[\p{Cc}\p{Cs}]/u.test(given)) return fail("holds a control character or half of a character");
}

/** The SDK's shape carries the answer in the metadata. */
function webhookOptions({ metadata, respondWith }: HookOptions): {
  metadata?: unknown;
  respondWith?: unknown;
} {
  if (respondWith !== undefined) return { metadata, respondWith };
  if (typeof metadata !== "object" || metadata === null || !("respondWith" in metadata)) return { metadata };
  const { respondWith: answer, ...rest } = metadata;
  return { respondWith: answer, metadata: Object.keys(rest).length > 0 ? rest : undefined };
}

function encodedAnswer(respondWith: unknown): string {
  if (respondWith === "manual") return "manual";
  const http = web.loaded();
  if (http && respondWith instanceof http.Response)
    return fitting(codec.encode(respondWith, "respondWith"), "A webhook's response");
  throw new TypeError('A webhook\'s respondWith is a Response or "manual".');
}

function hookObject(key: string, token: string, manual: boolean, url: string | undefined): object {
  const line = createLine();
  let answer: Promise<{ runId: string } | null> | undefined;
  let decide: (conflict: { runId: string | null } | null) => void = ignore;
  const decision = new Promise<{ runId: string | null } | null>((resolve) => (decide = resolve));

  hooks.set(key, {
    line,
    manual,
    token,
    received: 0,
    registered(conflict) {
      if (conflict) close(line, hookConflictError(token, conflict.runId ?? undefined));
      decide(conflict);
    },
  });

  function dispose(): void {
    if (line.closed) return;
    line.payloads = [];
    close(line, new HookDisposedError(token));
    emit({ op: "hook-dispose", key });
  }

  async function conflictOf(): Promise<{ runId: string } | null> {
    const conflict = await decision;
    if (conflict && conflict.runId === null) throw hookConflictError(token, undefined);
    return conflict as { runId: string } | null;
  }

  const hook = {
    token,
    ...(url === undefined ? {} : { url }),
    getConflict: () => (answer ??= conflictOf()),
    // A hook is awaited by design.
    // oxlint-disable-next-line unicorn/no-thenable
    then(
      fulfilled?: (payload: unknown) => unknown,
      rejected?: (error: unknown) => unknown,
    ): Promise<unknown> {
      return (ready(line) ?? keep(joinedPlace(line))).then(fulfilled, rejected);
    },
    async *[Symbol.asyncIterator](): AsyncGenerator<unknown, void, undefined> {
      while (!(line.closed instanceof HookDisposedError)) {
        try {
          yield await (ready(line) ?? keep(newPlace(line)));
        } catch (error) {
          if (error instanceof HookDisposedError) return;
          throw error;
        }
      }
    },
    dispose,
    [Symbol.dispose]: dispose,
    [Symbol.asyncDispose]: async () => dispose(),
  };
  Object.defineProperty(hook, HOOK, { value: (): RaceEntry => raceEntry(line) });
  return hook;
}
