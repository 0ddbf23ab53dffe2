import { randomBytes } from "node:crypto";
import type { Build, ToolCall } from "@eve/runtime";
import { UsageError } from "../errors.js";
import { readInput } from "../json.js";
import type { Answers } from "../terminal/answers.js";
import type { Io } from "../terminal/io.js";

/** One call of a tool, ready to start: its input is valid and somebody approved it where a policy asks for that. */
export interface PreparedCall {
  tool: string;
  input: unknown;
  context: ToolCall;
}

/** Nobody approved the call; no run was started. */
export interface RefusedCall {
  refused: string;
}

/**
 * Reads and checks the input of a call from the command line, and asks for approval where the tool has a policy.
 * @throws UsageError for an unknown tool, unreadable input, or input that doesn't fit the schema.
 */
export async function prepareCall(
  build: Build,
  request: { tool: string; input: string | undefined },
  io: Io,
  answers: Answers,
): Promise<PreparedCall | RefusedCall> {
  const { approvalFor, approvalResponse, validate } = await import("@eve/runtime");
  const { tool } = request;
  requireTool(build, tool);
  const definition = (await build.server()).eve.tools[tool] as {
    inputSchema: unknown;
    label?: string;
    approval?: unknown;
  };
  const validated = await validate(definition.inputSchema, await readInput(request.input, io));
  if (!validated.ok) {
    const lines = validated.issues.map(
      ({ path, message }) => `  ${path === "" ? "(input)" : path}: ${message}`,
    );
    throw new UsageError(
      `The input doesn't fit the schema of ${tool}:\n${lines.join("\n")}\nGive it with --input '<JSON>', --input @file or --input -.`,
    );
  }
  const input = validated.value;
  const callId = `call_${randomBytes(9).toString("base64url")}`;
  const requirement = await approvalFor(definition, { input, callId, toolName: tool, approvedBefore: false });
  if (requirement.type === "deny")
    return { refused: requirement.reason ?? `The approval policy of ${tool} denies this call.` };
  if (requirement.type === "ask") {
    const reply = await answers.ask(approvalRequest(requirement.prompt), new AbortController().signal);
    const approved = typeof reply === "object" && reply.optionId === "approve";
    await approvalResponse(definition, { approved, input });
    if (!approved) return { refused: "The call was not approved." };
  }
  return { tool, input, context: { session: localSession(callId), callId, agents: {} } };
}

/** 05, "Answers and approval". */
function approvalRequest(prompt: string) {
  const options = [
    { id: "approve", label: "Approve", style: "primary" },
    { id: "cancel", label: "Cancel" },
  ];
  return { prompt, display: "confirmation" as const, options };
}

/** What `ctx.session` shows in a call from a terminal: nobody signed in, one turn. */
function localSession(callId: string) {
  return {
    id: `terminal_${callId.slice("call_".length)}`,
    auth: { current: null, initiator: null },
    turn: { id: "turn_0", sequence: 0 },
  };
}

function requireTool(build: Build, name: string): void {
  const { tools } = build.manifest;
  const known = Object.keys(tools).sort();
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined;
  if (tool === undefined) {
    const near = known.find(
      (other) => other.toLowerCase() === name.toLowerCase() || other.includes(name) || name.includes(other),
    );
    const list =
      known.length > 0
        ? `The app has ${known.join(", ")}.`
        : "The app has no tools: add one under agent/tools/.";
    throw new UsageError(
      `There is no tool ${JSON.stringify(name)}.${near ? ` Did you mean ${near}?` : ""} ${list}`,
    );
  }
  if (tool.workflowId === undefined) {
    throw new UsageError(
      `${name} is no workflow tool, so it has no run. eve run calls tools made with defineWorkflowTool.`,
    );
  }
  if (tool.entryPoint === "serve") {
    throw new UsageError(
      `${name} is a serve tool: it takes its calls from a session, one after the other. eve run calls execute and task tools.`,
    );
  }
}
