/** What a policy says of one call. `true` and `"user-approval"` ask a person, `false` and `undefined` don't apply. */
export type ApprovalDecision =
  | undefined
  | boolean
  | "not-applicable"
  | "approved"
  | "denied"
  | "user-approval"
  | { type: "not-applicable" | "approved" | "denied" | "user-approval"; reason?: string };

export interface ApprovalRequest<Input> {
  input: Input;
  callId: string;
  toolName: string;
  /** A person approved a call of this tool earlier in the session. */
  approvedBefore: boolean;
}

export type ApprovalPolicy<Input> = (
  request: ApprovalRequest<Input>,
) => ApprovalDecision | Promise<ApprovalDecision>;

/** A policy, or a policy with the prompt it shows and a reaction to the answer. */
export type Approval<Input> =
  | ApprovalPolicy<Input>
  | {
      request: ApprovalPolicy<Input>;
      prompt?: string | ((request: { input: Input }) => string);
      response?: (answer: { approved: boolean; input: Input }) => void | Promise<void>;
    };
