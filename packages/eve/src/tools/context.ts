/** What tool code receives besides its input: `ctx` of bodies, of steps and of ordinary tools. */
import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Json, JsonSchemaObject } from "../schema.js";

/** Who a caller is. Two callers are the same principal when all four fields are equal. */
export interface Principal {
  readonly authenticator: string;
  readonly issuer: string | null;
  readonly principalType: string;
  readonly principalId: string;
}

/** The session a call belongs to, as it was when the session admitted the call. */
export interface ToolSession {
  readonly id: string;
  readonly auth: { readonly current: Principal | null; readonly initiator: Principal | null };
  readonly turn: { readonly id: string; readonly sequence: number };
  readonly parent?: { readonly sessionId: string; readonly callId: string; readonly turnId: string };
  readonly schedule?: { readonly name: string };
}

export interface ToolInputRequestOption {
  /** What the answer carries; should read well on its own. */
  id: string;
  label: string;
  description?: string;
  style?: "primary" | "danger" | "default";
}

/** A question for a person. */
export interface ToolInputRequest<OptionId extends string = string> {
  prompt: string;
  display?: "confirmation" | "select" | "text";
  options?: readonly (ToolInputRequestOption & { id: OptionId })[];
  /** Also accept a text that is none of the options. Without options a text is always accepted. */
  allowFreeform?: boolean;
}

export interface ToolInputRequestOptions {
  /** Aborting it asks for the question to be withdrawn. */
  signal?: AbortSignal;
}

export type ToolInputResponse<OptionId extends string = string> =
  | { status: "answered"; optionId?: OptionId; text?: string }
  /** Withdrawn before anyone answered. */
  | { status: "cancelled" }
  /** Nobody can be asked, as in a scheduled run. */
  | { status: "unavailable" };

/** One agent a body may open, as the session saw it when it admitted the call. */
export interface AgentDescription {
  readonly description: string;
}

export interface AgentSendOptions<Data> {
  outputSchema?: StandardSchemaV1<unknown, Data> | JsonSchemaObject;
  /** Aborting it cancels the turn the message started or joined. */
  signal?: AbortSignal;
}

export interface AgentResult<Data> {
  /** The structured value, when the turn requested `outputSchema`. */
  data?: Data;
  /** The agent's final text, when it did not. */
  message?: string;
  status: "waiting" | "completed" | "failed";
  /** Why the turn failed; only when `status` is `"failed"`. */
  error?: { message: string };
}

/** A session with an agent that only this run can address. It opens on its first `send`. */
export interface AgentSession {
  send<Data = Json>(
    message: string,
    options?: AgentSendOptions<Data>,
  ): Promise<{ result(): Promise<AgentResult<Data>> }>;
}

interface BodyContext {
  readonly session: ToolSession;
  readonly toolName: string;
  /** The agents this call may open, by name; a snapshot that replays the same. */
  readonly agents: Readonly<Record<string, AgentDescription>>;
  /** A session with an agent. @throws TypeError for an empty name. */
  agent(name: string): AgentSession;
  /**
   * Asks a person and waits durably. The answer's `optionId` is one of the options' ids.
   * @throws TypeError for a malformed request.
   */
  ask<const OptionId extends string = string>(
    request: ToolInputRequest<OptionId>,
    options?: ToolInputRequestOptions,
  ): Promise<ToolInputResponse<OptionId>>;
  /** Steps only: pass `ctx` to a step and call it there. */
  readonly getToken: never;
  /** Steps only: pass `ctx` to a step and call it there. */
  readonly requireAuth: never;
}

/** `ctx` of an `execute` or `task` body. */
export interface WorkflowToolContext extends BodyContext {
  readonly callId: string;
  /** Aborts when the call is cancelled (and, for `execute`, when a steering message comes). Durable. */
  readonly abortSignal: AbortSignal;
}

/** `ctx` of a `serve` body. */
export interface WorkflowServeContext extends BodyContext {
  /** Settles every call received so far with `output`. */
  reply(output: unknown): void;
  /** Each received call carries its own. */
  readonly callId: never;
  /** Each received call carries its own. */
  readonly abortSignal: never;
}

/** One call that a `serve` body receives. */
export interface ServeCall<Input> {
  readonly input: Input;
  readonly callId: string;
  readonly abortSignal: AbortSignal;
}

/** Resolves with the next call; a pending `receive()` is shared. */
export type Receive<Input> = () => Promise<ServeCall<Input>>;

/** Where tokens come from: a provider declaration, as in `eve/tools` connections. */
export interface AuthorizationProvider {
  readonly name: string;
}

/** What a `"use step"` helper gets that receives `ctx` directly. */
export interface WorkflowStepToolContext {
  readonly session: ToolSession;
  readonly callId: string;
  readonly toolName: string;
  readonly abortSignal: AbortSignal;
  /** A token of whoever launched the tool. Ends the attempt and waits when sign-in is needed. */
  getToken(provider: AuthorizationProvider): Promise<{ token: string; expiresAt?: Date }>;
  /** Says that a token was refused: ends the attempt and asks for sign-in. */
  requireAuth(provider: AuthorizationProvider): never;
}

/** `ctx` of an ordinary tool. */
export interface ToolContext {
  readonly session: ToolSession;
  readonly callId: string;
  readonly toolName: string;
  readonly abortSignal: AbortSignal;
}
