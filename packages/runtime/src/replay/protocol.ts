/**
 * The border between the host and a replay context. Only strings, numbers and plain JSON-like records of
 * them cross it (02 §2); values are `devalue` text (see `values/`).
 *
 * The host delivers one event at a time, in log order; the realm runs the body until it is idle and answers
 * with what the body asked for meanwhile, in the order it asked.
 */

/** `<step id>#<n>`, `sleep#<n>`, `hook#<n>`, `ask#<n>`, `signal#<n>` … n counts per name and run, from 0. */
export type OperationKey = string;

/**
 * Where an operation was called. Of most steps the compiler knows the author's place: `@agent/tools/deploy.ts:12:9`.
 * Otherwise it is where in the bundle, unmapped: up to three frames, innermost first, `12:5 40:3`. The first of these may
 * be eve's own functions inside the bundle; `mapSite` finds the author's. Empty while
 * replaying, where nobody reads it: pump once more without `replaying` to learn it.
 */
export type CallSite = string;

/** What the body asked for. */
export type Operation =
  | { op: "step"; key: OperationKey; stepId: string; args: string; site: CallSite }
  /** `until`: epoch milliseconds. */
  | { op: "sleep"; key: OperationKey; until: number; site: CallSite }
  | {
      op: "hook";
      key: OperationKey;
      token: string;
      /** True for `createWebhook`. */
      webhook: boolean;
      /** devalue text of `metadata`. */
      metadata?: string;
      /** `"manual"`, or devalue text of a Response. */
      respondWith?: string;
      site: CallSite;
    }
  | { op: "hook-dispose"; key: OperationKey }
  /** The answer to one manual webhook request: `request` names it (`<hook key>/<payload number>`). */
  | { op: "respond"; request: string; response: string }
  /** `ctx.ask`: JSON of the request; `signals` that withdraw it; `call` it belongs to, in a `serve` body. */
  | { op: "ask"; key: OperationKey; request: string; signals: string[]; call?: string; site: CallSite }
  | { op: "ask-withdraw"; key: OperationKey }
  /** The body's own AbortController aborted. `reason`: devalue text. */
  | { op: "abort"; signal: string; reason?: string }
  /** A `yield`: JSON text of the snapshot. */
  | { op: "progress"; value: string }
  /** A chunk the body writes to its own output stream. */
  | { op: "stream-write"; stream: string; value: string }
  | { op: "stream-close"; stream: string }
  /** A `serve` body called `receive()` (once per shared promise): it is ready for its next call. */
  | { op: "receive"; key: OperationKey }
  /** `ctx.reply`: JSON of the output, for the received calls of these ids. */
  | { op: "reply"; key: OperationKey; value: string; calls: string[] }
  /** An operation of a later capability (agents, replies …): `name` selects a handler on the host. */
  | { op: "custom"; key: OperationKey; name: string; args: string; site: CallSite };

/**
 * What the host tells the body. `at` is the time the body's clock shows from then on (epoch ms); it never goes
 * back. With `replaying` the body's console is silent and call sites are left out, which halves the cost.
 */
export type Delivery = { at: number; replaying?: boolean } & (
  | { type: "start" }
  | { type: "resolve"; key: OperationKey; value: string }
  | { type: "reject"; key: OperationKey; error: string }
  /** One payload for a hook or webhook; it may receive many. */
  | { type: "payload"; key: OperationKey; value: string }
  /** Another live hook owns the token. */
  | { type: "hook-conflict"; key: OperationKey; token: string; runId: string | null }
  /** The hook is registered (resolves `getConflict()` with null). */
  | { type: "hook-ready"; key: OperationKey }
  /** A durable signal aborts: `call` is the tool call's own `ctx.abortSignal`. */
  | { type: "abort"; signal: string; reason?: string }
  /** A call for a running `serve` body: JSON of its record, devalue text of its input. */
  | { type: "call"; record: string; input: string }
  /** The waiting calls of a `serve` body were cancelled: it forgets received and queued ones, its stretch's signal aborts. */
  | { type: "calls-cancelled"; signal: string; reason?: string }
  /** No call can come any more: a pending `receive()` rejects with `reason` as its message. */
  | { type: "calls-ended"; reason: string }
);

/** How the body ended. */
export type Outcome =
  | { status: "completed"; output: string }
  /** devalue text of the error, stack unmapped. */
  | { status: "failed"; error: string };

export interface PumpResult {
  operations: Operation[];
  outcome?: Outcome;
  /** Lines the body wrote to its console (dropped by the host while replaying). */
  console: { level: "log" | "info" | "warn" | "error" | "debug"; text: string }[];
}

/** What a context needs to start a body. */
export interface BodyStart {
  runId: string;
  workflowId: string;
  /** devalue text of the argument array. */
  args: string;
  /** 16 random bytes, hex; from the run-started entry. */
  seed: string;
  /** Epoch ms of the run-started entry. */
  startedAt: number;
  /** JSON for `getWorkflowMetadata()`: `{ workflowRunId, workflowName, workflowStartedAt, url }`. */
  metadata: string;
  /**
   * Present when the run is a tool call: JSON of `{ session, callId, toolName, agents?, signal? }`, the plain
   * part of `ctx`. `signal` is the id of the call's abort signal, `call` unless given. A `serve` body gets its
   * first call from here and from `args[0]`, the later ones (`{ callId, session, agents?, signal }`) delivered.
   */
  tool?: string;
  entryPoint?: "execute" | "task" | "serve";
  /** Largest encoded value of one operation, in characters; a larger one throws where the body gives it. */
  valueSize?: number;
}

/** What the realm asks the host for synchronously; both answers are recorded in the hook's entry. */
export interface BodyHost {
  /** A fresh token (≥ 128 bit), or the recorded one on replay. */
  hookToken(key: OperationKey): string;
  /** Public URL of a webhook's token. */
  webhookUrl(key: OperationKey, token: string): string;
  /**
   * A promise of the body was rejected and nobody had handled it when the body ended. Called after the pump
   * that ended it; `error` is its text with the stack of the call, unmapped.
   */
  unhandledRejection?(error: string): void;
}

/** A hot context that runs one body. */
export interface Body {
  readonly runId: string;
  /** Delivers one event and runs the body until it is idle. Never re-entered. */
  pump(delivery: Delivery): PumpResult;
  /** Forgets the context. */
  dispose(): void;
}
