/**
 * Hooks and webhooks. `await hook` takes the next payload.
 *
 * Who waits for a payload that never comes in time must not take it away from who waits later, so: an `await`
 * (or `then`) of a later moment joins one that is still pending, instead of standing behind it; and a
 * `Promise.race` that something else won gives back its place, and the payload if there was one already. Several awaits of one moment, and each loop of
 * `for await`, get a payload each.
 */
import { HOOK } from "../values/describe.js";
import { host } from "./border.js";
import { HookDisposedError, hookConflictError } from "./errors.js";
import { durableRequest } from "./http.js";
import { web } from "./lazy.js";
import { callSite } from "./stack.js";
import { emit, nextKey, run } from "./state.js";
import { codec } from "./values.js";

interface HookOptions {
  token?: unknown;
  metadata?: unknown;
  isWebhook?: boolean;
  respondWith?: unknown;
}

/** A place in the line of those who wait for a payload. */
interface Place {
  promise: Promise<unknown>;
  resolve(payload: unknown): void;
  reject(error: unknown): void;
  /** Races that hold it. When the last of them let go and nobody took the payload, it is given back. */
  races: number;
  taken: boolean;
  payload?: Payload;
}

interface Payload {
  value?: unknown;
  error?: unknown;
  failed: boolean;
}

interface Line {
  places: Place[];
  payloads: Payload[];
  /** The next place that an `await` of the same moment joins. */
  cursor: number;
  moment: number;
  /** Set when no payload can come any more: why. */
  closed: Error | undefined;
}

const ignore = (): void => undefined;

function newPlace(line: Line): Place {
  let resolve: Place["resolve"] = ignore;
  let reject: Place["reject"] = ignore;
  const promise = new Promise<unknown>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // A place nobody looks at any more may still be rejected; what the author derives from it reports for itself.
  promise.catch(ignore);
  const place: Place = { promise, resolve, reject, races: 0, taken: false };
  line.places.push(place);
  return place;
}

function joinedPlace(line: Line): Place {
  if (line.moment !== run.moment) {
    line.moment = run.moment;
    line.cursor = 0;
  }
  const place = line.places[line.cursor] ?? newPlace(line);
  line.cursor += 1;
  return place;
}

/** A payload that waits already, or the end of the line. */
function ready(line: Line): Promise<unknown> | undefined {
  const payload = line.payloads.shift();
  if (payload) return payload.failed ? Promise.reject(payload.error) : Promise.resolve(payload.value);
  return line.closed ? Promise.reject(line.closed) : undefined;
}

function arrive(line: Line, payload: Payload): void {
  const place = line.places.shift();
  if (!place) {
    line.payloads.push(payload);
    return;
  }
  line.cursor = Math.max(0, line.cursor - 1);
  place.payload = payload;
  if (payload.failed) place.reject(payload.error);
  else place.resolve(payload.value);
}

function close(line: Line, error: Error): void {
  line.closed = error;
  for (const place of line.places) place.reject(error);
  line.places = [];
}

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
  if (given !== undefined && (typeof given !== "string" || given === "")) {
    throw new TypeError(`A hook's token is a non-empty text, got ${given === "" ? '""' : typeof given}.`);
  }
  const { respondWith, metadata } = webhook
    ? webhookOptions(options)
    : { ...options, respondWith: undefined };
  const encoded = {
    ...(metadata === undefined ? {} : { metadata: codec.encode(metadata, "metadata") }),
    ...(respondWith === undefined ? {} : { respondWith: encodedAnswer(respondWith) }),
  };
  const key = nextKey("hook");
  const token = given ?? host.hookToken(key);
  emit({ op: "hook", key, token, webhook, ...encoded, site: callSite(0) });
  return hookObject(key, token, respondWith === "manual", webhook ? host.webhookUrl(key, token) : undefined);
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
  if (http && respondWith instanceof http.Response) return codec.encode(respondWith, "respondWith");
  throw new TypeError('A webhook\'s respondWith is a Response or "manual".');
}

function hookObject(key: string, token: string, manual: boolean, url: string | undefined): object {
  const line: Line = { places: [], payloads: [], cursor: 0, moment: -1, closed: undefined };
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

function keep(place: Place): Promise<unknown> {
  place.taken = true;
  return place.promise;
}

/** A payload on its way through a race: tells whose it is when it wins. */
export class RacedPayload {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** What a race waits on, and how it lets go when it is over. */
export interface RaceEntry {
  promise: Promise<RacedPayload>;
  /** @param winner what the race was won with. */
  release(winner: unknown): void;
}

/** Before those that wait already: the payload came earlier. */
function giveBack(line: Line, payload: Payload): void {
  if (line.places.length > 0) arrive(line, payload);
  else line.payloads.unshift(payload);
}

function raceEntry(line: Line): RaceEntry {
  const [waiting] = line.payloads;
  if (waiting && !waiting.failed) {
    line.payloads.shift();
    const raced = new RacedPayload(waiting.value);
    return {
      promise: Promise.resolve(raced),
      release(winner) {
        if (winner !== raced) giveBack(line, waiting);
      },
    };
  }
  const error = ready(line);
  if (error) return { promise: error as Promise<never>, release: ignore };
  const place = joinedPlace(line);
  place.races += 1;
  let raced: RacedPayload | undefined;
  return {
    promise: place.promise.then((value) => (raced = new RacedPayload(value))),
    release(winner) {
      place.races -= 1;
      if (raced !== undefined && winner === raced) place.taken = true;
      if (place.races > 0 || place.taken) return;
      if (!place.payload) line.places = line.places.filter((other) => other !== place);
      else if (!place.payload.failed) giveBack(line, place.payload);
    },
  };
}
