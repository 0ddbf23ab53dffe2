/** `serve(receive, ctx)`: the calls a resumable task receives, and its replies. */
import { withdrawQuestions } from "./ask.js";
import { WorkflowUsageError } from "./errors.js";
import { fitting } from "./limits.js";
import { toJson } from "./result.js";
import { durableSignal } from "./signals.js";
import { emit, nextKey } from "./state.js";
import { codec } from "./values.js";

/** One call, as the host gives it. */
export interface CallRecord {
  callId: string;
  session: unknown;
  agents?: Record<string, { description: string }>;
  /** Id of the stretch's abort signal. */
  signal: string;
}

interface QueuedCall {
  record: CallRecord;
  input: unknown;
}

export interface Serving {
  /** The call being served: the latest that was received. */
  current: CallRecord;
  receive(): Promise<unknown>;
  reply(output: unknown): void;
  /** True while a received call waits for its result. */
  working(): boolean;
  arrive(record: CallRecord, input: unknown): void;
  /** The waiting calls were settled from outside, received or not. */
  forget(): void;
  /** No call can come any more. */
  close(reason: string): void;
}

/** The state of one `serve` body. @param first the call that started the task. */
export function createServing(first: CallRecord, input: unknown, toolName: string): Serving {
  let queue: QueuedCall[] = [{ record: first, input }];
  /** Calls received and without a result. */
  let received: string[] = [];
  let pending:
    { promise: Promise<unknown>; take(call: QueuedCall): void; fail(error: Error): void } | undefined;
  let closed: Error | undefined;

  function take({ record, input }: QueuedCall): unknown {
    serving.current = record;
    received.push(record.callId);
    const { callId, signal } = record;
    return Object.freeze({ input, callId, abortSignal: durableSignal(signal) });
  }

  const serving: Serving = {
    current: first,

    receive() {
      if (pending) return pending.promise;
      emit({ op: "receive", key: nextKey("receive") });
      const next = queue.shift();
      if (next) return Promise.resolve(take(next));
      if (closed) return Promise.reject(closed);
      let fulfil: (call: unknown) => void = () => undefined;
      let fail: (error: Error) => void = () => undefined;
      const promise = new Promise<unknown>((resolve, reject) => {
        fulfil = resolve;
        fail = reject;
      });
      // A receive() that lost a race is not awaited by anyone when the session ends.
      promise.catch(() => undefined);
      pending = { promise, take: (call) => fulfil(take(call)), fail };
      return promise;
    },

    reply(output) {
      const what = `The reply of the tool ${JSON.stringify(toolName)}`;
      const value = fitting(toJson(output ?? null, what, "output"), what);
      if (received.length === 0) return;
      const calls = received;
      received = [];
      emit({ op: "reply", key: nextKey("reply"), value, calls });
      withdrawQuestions();
    },

    working: () => received.length > 0,

    arrive(record, input) {
      const call = { record, input };
      if (!pending) {
        queue.push(call);
        return;
      }
      const { take } = pending;
      pending = undefined;
      take(call);
    },

    forget() {
      queue = [];
      received = [];
    },

    close(reason) {
      closed = new WorkflowUsageError(reason);
      pending?.fail(closed);
      pending = undefined;
    },
  };
  return serving;
}

/** A call that the host delivers: JSON of its record, devalue text of its input. */
export function deliverCall(serving: Serving, record: string, input: string): void {
  serving.arrive(JSON.parse(record) as CallRecord, codec.decode(input));
}
