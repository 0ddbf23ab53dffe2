import { expect, it } from "vitest";
import { describeAnswers, matchAnswer } from "./match-answer.js";

const options = [
  { id: "approve", label: "Deploy" },
  { id: "2", label: "Two" },
  { id: "cancel", label: "Cancel" },
];

it.each([
  ["approve", { optionId: "approve" }],
  ["  approve\n", { optionId: "approve" }],
  ["dEPLOY", { optionId: "approve" }],
  ["1", { optionId: "approve" }],
  ["2", { optionId: "2" }],
  ["3", { optionId: "cancel" }],
  ["Approve", undefined],
  ["0", undefined],
  ["4", undefined],
  ["yes", undefined],
  ["", undefined],
])("options only: %j", (message, expected) => {
  expect(matchAnswer({ prompt: "?", options }, message)).toEqual(expected);
});

it("takes a text where one is allowed, or where there are no options", () => {
  expect(matchAnswer({ prompt: "?", options, allowFreeform: true }, " later ")).toEqual({ text: "later" });
  expect(matchAnswer({ prompt: "?" }, "later")).toEqual({ text: "later" });
  expect(matchAnswer({ prompt: "?", options: [] }, "1")).toEqual({ text: "1" });
  expect(matchAnswer({ prompt: "?" }, "  ")).toBeUndefined();
});

it("says what may be answered", () => {
  expect(describeAnswers({ prompt: "?", options })).toBe("approve (Deploy), 2 (Two) or cancel (Cancel)");
  expect(describeAnswers({ prompt: "?", options: [{ id: "a", label: "a" }], allowFreeform: true })).toBe(
    "a or any text",
  );
  expect(describeAnswers({ prompt: "?" })).toBe("any text");
});
