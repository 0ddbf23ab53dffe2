import { expect, it } from "vitest";
import { readAnswer } from "../engine/questions.js";
import { describeAnswers } from "./describe.js";

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
])("options only: %j", (typed, expected) => {
  expect(readAnswer({ prompt: "?", options }, typed)).toEqual(expected);
});

it("takes a text where one is allowed, or where there are no options", () => {
  expect(readAnswer({ prompt: "?", options, allowFreeform: true }, " later ")).toEqual({ text: "later" });
  expect(readAnswer({ prompt: "?" }, "later")).toEqual({ text: "later" });
  expect(readAnswer({ prompt: "?", options: [] }, "1")).toEqual({ text: "1" });
  expect(readAnswer({ prompt: "?" }, "  ")).toBeUndefined();
});

it("says what may be answered", () => {
  expect(describeAnswers({ prompt: "?", options })).toBe("approve (Deploy), 2 (Two) or cancel (Cancel)");
  const free = { prompt: "?", options: [{ id: "a", label: "a" }], allowFreeform: true };
  expect(describeAnswers(free)).toBe("a or any text");
  expect(describeAnswers({ prompt: "?" })).toBe("any text");
});
