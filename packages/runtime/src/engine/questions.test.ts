import { describe, expect, test } from "vitest";
import { checkAnswer, readAnswer } from "./questions.js";

const request = {
  prompt: "Deploy?",
  options: [
    { id: "approve", label: "Deploy" },
    { id: "cancel", label: "Cancel" },
    { id: "2", label: "Later" },
  ],
};

describe("what a person typed", () => {
  test.each([
    ["approve", { optionId: "approve" }],
    ["  approve ", { optionId: "approve" }],
    ["DEPLOY", { optionId: "approve" }],
    ["1", { optionId: "approve" }],
    ["2", { optionId: "2" }],
    ["3", { optionId: "2" }],
    ["4", undefined],
    ["whatever", undefined],
    ["", undefined],
  ])("%j is an option's id, then its label in any case, then its number", (typed, expected) => {
    expect(readAnswer(request, typed)).toEqual(expected);
  });

  test("is a text where the question takes one", () => {
    expect(readAnswer({ ...request, allowFreeform: true }, "tomorrow")).toEqual({ text: "tomorrow" });
    expect(readAnswer({ prompt: "Name?" }, " Ada ")).toEqual({ text: "Ada" });
    expect(readAnswer({ prompt: "Name?" }, "  ")).toBeUndefined();
  });
});

test("a checked answer carries what was given", () => {
  expect(checkAnswer("q", request, { optionId: "cancel" })).toEqual({
    status: "answered",
    optionId: "cancel",
  });
  expect(checkAnswer("q", { ...request, allowFreeform: true }, { text: "x" })).toEqual({
    status: "answered",
    text: "x",
  });
  expect(() => checkAnswer("q", request, { optionId: "nope" })).toThrow(/"nope" is none of its options/);
});
