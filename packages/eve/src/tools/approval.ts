import type { ApprovalPolicy } from "./approval-types.js";

export type { Approval, ApprovalDecision, ApprovalPolicy } from "./approval-types.js";

/** Never asks. */
export const never =
  <Input>(): ApprovalPolicy<Input> =>
  () =>
    "not-applicable";

/** Asks before every call. */
export const always =
  <Input>(): ApprovalPolicy<Input> =>
  () =>
    "user-approval";

/** Asks until a call of this tool was approved in the session; later calls run freely. */
export const once =
  <Input>(): ApprovalPolicy<Input> =>
  ({ approvedBefore }) =>
    approvedBefore ? "not-applicable" : "user-approval";
