import type { ErrorTexts } from "./stacks.js";

/** What a codec has to know of the realm it runs in. The host and the replay context each give their own. */

/** A durable `AbortSignal`: the id under which its abort is recorded, and its state when it was carried. */
export interface SignalHandle {
  id: string;
  aborted: boolean;
  reason?: unknown;
}

/** A stream of a run. The chunks live in the store; the handle only names them. */
export interface StreamHandle {
  direction: "readable" | "writable";
  runId: string;
  name: string;
}

/** `ctx` of a tool body, carried to a step, where it comes out as the restricted step context. */
export interface ToolContextHandle {
  callId: string;
  toolName: string;
  /** Plain data, as the session admitted the call. */
  session: unknown;
  /** Id of the call's abort signal. */
  signal: string;
}

/** The plain part of a Request or Response; the body is bytes, or a promise of bytes on the host. */
export interface HttpMessage {
  kind: "request" | "response";
  method?: string;
  url?: string;
  status?: number;
  statusText?: string;
  headers: [name: string, value: string][];
  body: Uint8Array | null | PendingBytes;
  /** A request that waits for `respondWith()`: the id under which the answer is recorded. */
  respond?: string;
}

/** Bytes that have to be read first. A class of its own, so that no promise of the author is awaited by accident. */
export class PendingBytes {
  readonly bytes: Promise<Uint8Array | null>;

  constructor(bytes: Promise<Uint8Array | null>) {
    this.bytes = bytes;
  }
}

export interface ErrorClass {
  readonly prototype: Error;
}

/** A class whose instances know how to become data and back. */
export interface SerializableClass {
  readonly name: string;
  readonly classId?: string;
}

/**
 * The realm's side of a codec. `describe…` gives a handle when the value is one of this realm's own,
 * else `undefined`; `revive…` makes the realm's object of a handle.
 */
export interface ValueEnvironment {
  /** The class revived errors of this name get (`FatalError` …); built-in names are known without it. */
  errorClass(name: string): ErrorClass | undefined;
  /** Class by its id; `undefined` when this realm doesn't have it. */
  classById(id: string): SerializableClass | undefined;
  reviveStep(stepId: string): unknown;
  describeSignal(value: object): SignalHandle | undefined;
  reviveSignal(handle: SignalHandle): unknown;
  describeStream(value: object): StreamHandle | undefined;
  reviveStream(handle: StreamHandle): unknown;
  describeToolContext(value: object): ToolContextHandle | undefined;
  reviveToolContext(handle: ToolContextHandle): unknown;
  describeMessage(value: object): HttpMessage | undefined;
  reviveMessage(message: HttpMessage & { body: Uint8Array | null }): unknown;
  describeHeaders(value: object): [name: string, value: string][] | undefined;
  reviveHeaders(entries: [name: string, value: string][]): unknown;
  /** The most characters that an encoded value may have, as far as that can be told while it is; default: any number. */
  readonly maxSize?: number | undefined;
  /** How the texts of errors are told; default: as they are. */
  readonly errorTexts?: ErrorTexts | undefined;
}
