import type { ApprovalDecision, ApprovalPolicy } from "eve/tools/approval";

/** What the policy asks for, with everything left out filled in. */
export type ApprovalRequirement =
  { type: "run" } | { type: "ask"; prompt: string; reason?: string } | { type: "deny"; reason?: string };

interface ToolWithApproval {
  label?: string | undefined;
  approval?: unknown;
}

type PromptText = string | ((request: { input: unknown }) => string);

/** Judges one call by its tool's approval policy. A policy that throws denies nothing: its error goes to the caller. */
export async function approvalFor(
  tool: ToolWithApproval,
  request: { input: unknown; callId: string; toolName: string; approvedBefore: boolean },
): Promise<ApprovalRequirement> {
  if (tool.approval === undefined) return { type: "run" };
  const { policy, prompt } = read(tool.approval);
  const decision = normalise(await policy(request));
  switch (decision.type) {
    case "not-applicable":
    case "approved":
      return { type: "run" };
    case "denied":
      return { ...reasonOf(decision), type: "deny" };
    case "user-approval": {
      const text = typeof prompt === "function" ? prompt({ input: request.input }) : prompt;
      return {
        ...reasonOf(decision),
        type: "ask",
        prompt: text ?? `Approve ${tool.label ?? request.toolName}?`,
      };
    }
  }
}

/** Tells the tool's approval how a person answered, where it wants to know. Its error goes to the caller. */
export async function approvalResponse(
  tool: ToolWithApproval,
  answer: { approved: boolean; input: unknown },
): Promise<void> {
  if (typeof tool.approval !== "object" || tool.approval === null) return;
  const { response } = tool.approval as {
    response?: (answer: { approved: boolean; input: unknown }) => unknown;
  };
  await response?.(answer);
}

function read(approval: unknown): { policy: ApprovalPolicy<unknown>; prompt?: PromptText } {
  if (typeof approval === "function") return { policy: approval as ApprovalPolicy<unknown> };
  const { request, prompt } = approval as { request: ApprovalPolicy<unknown>; prompt?: PromptText };
  return prompt === undefined ? { policy: request } : { policy: request, prompt };
}

function normalise(decision: ApprovalDecision): Exclude<ApprovalDecision, undefined | boolean | string> {
  if (decision === undefined || decision === false) return { type: "not-applicable" };
  if (decision === true) return { type: "user-approval" };
  return typeof decision === "string" ? { type: decision } : decision;
}

const reasonOf = ({ reason }: { reason?: string }) => (reason === undefined ? {} : { reason });
