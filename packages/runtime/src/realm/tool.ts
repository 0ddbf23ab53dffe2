import { start } from "./state.js";

/** The plain part of a tool call's context, as the host gives it. */
export interface ToolCall {
  session: unknown;
  callId: string;
  toolName: string;
  agents?: Record<string, { description: string }>;
}

export const call = start.tool === undefined ? undefined : (JSON.parse(start.tool) as ToolCall);
export const toolName = call?.toolName;

/** What the workflow function is called with. */
export function bodyArguments(args: unknown[]): unknown[] {
  return call ? [...args, {}] : args;
}
