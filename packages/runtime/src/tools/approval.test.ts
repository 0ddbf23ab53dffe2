import { expect, it } from "vitest";
import { always, never, once } from "eve/tools/approval";
import { approvalFor, approvalResponse } from "./approval.js";

const call = { input: { n: 1 }, callId: "c", toolName: "deploy", approvedBefore: false };

it.each([
  [undefined, { type: "run" }],
  [never(), { type: "run" }],
  [() => "approved" as const, { type: "run" }],
  [() => false, { type: "run" }],
  [always(), { type: "ask", prompt: "Approve deploy?" }],
  [() => true, { type: "ask", prompt: "Approve deploy?" }],
  [
    async () => ({ type: "user-approval" as const, reason: "big" }),
    { type: "ask", prompt: "Approve deploy?", reason: "big" },
  ],
  [() => ({ type: "denied" as const, reason: "frozen" }), { type: "deny", reason: "frozen" }],
  [
    { request: always(), prompt: "Sure?" },
    { type: "ask", prompt: "Sure?" },
  ],
  [
    { request: always(), prompt: ({ input }: { input: unknown }) => `Use ${JSON.stringify(input)}?` },
    { type: "ask", prompt: 'Use {"n":1}?' },
  ],
])("policy %#", async (approval, expected) => {
  expect(await approvalFor({ approval }, call)).toEqual(expected);
});

it("asks once, by the tool's label", async () => {
  const tool = { approval: once(), label: "Deploy to production" };
  expect(await approvalFor(tool, call)).toEqual({ type: "ask", prompt: "Approve Deploy to production?" });
  expect(await approvalFor(tool, { ...call, approvedBefore: true })).toEqual({ type: "run" });
});

it("tells the approval how it was answered, where it wants to know", async () => {
  const heard: unknown[] = [];
  const approval = { request: always(), response: (answer: unknown) => void heard.push(answer) };
  await approvalResponse({ approval }, { approved: true, input: 1 });
  await approvalResponse({ approval: always() }, { approved: false, input: 2 });
  await approvalResponse({}, { approved: false, input: 3 });
  expect(heard).toEqual([{ approved: true, input: 1 }]);
});
