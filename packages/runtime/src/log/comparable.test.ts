import { stringify } from "devalue";
import { expect, test } from "vitest";
import { valueDifference } from "./comparable.js";

const difference = (a: unknown, b: unknown) => valueDifference(stringify(a), stringify(b));

test.each([
  [
    "equal values",
    [{ a: [1, new Date(0), new Map([[1, 2n]])] }],
    [{ a: [1, new Date(0), new Map([[1, 2n]])] }],
    undefined,
  ],
  [
    "a nested field",
    [{ user: { name: "a" } }],
    [{ user: { name: "b" } }],
    '[0].user.name was "a" and is "b"',
  ],
  ["a field that is gone", [{ a: 1 }], [{}], "[0].a was 1 and is absent"],
  ["another type", ["1"], [1], '[0] was "1" and is 1'],
  ["an argument more", [1], [1, 2], "[1] was absent and is 2"],
  ["a key that is no name", [{ "a b": 1 }], [{ "a b": 2 }], '[0]["a b"] was 1 and is 2'],
  ["big integers", [1n], [2n], "[0] was 1n and is 2n"],
  [
    "big integers inside",
    [new Map([["n", 1n]])],
    [new Map([["n", 2n]])],
    "[0] was Map(1) { 'n' => 1n } and is Map(1) { 'n' => 2n }",
  ],
  ["negative zero", [0], [-0], "[0] was 0 and is -0"],
  ["numbers that JSON doesn't have", [NaN], [Infinity], "[0] was NaN and is Infinity"],
  [
    "long texts that differ late",
    [`${"x".repeat(100)}a`],
    [`${"x".repeat(100)}b${"y".repeat(100)}`],
    `[0] was …${"x".repeat(20)}a" and is …${"x".repeat(20)}b${"y".repeat(39)}…`,
  ],
])("%s", (_name, a, b, expected) => {
  expect(difference(a, b)).toBe(expected);
});

test("errors are compared without their stacks, tool contexts by call id, signals by id", () => {
  const error = (stack: string, message = "m") =>
    `[[1],["Error",2],{"name":3,"message":4,"stack":5},"Error","${message}","${stack}"]`;
  expect(valueDifference(error("here"), error("there"))).toBeUndefined();
  expect(valueDifference(error("here"), error("here", "n"))).toMatch(/message was "m" and is "n"/);
  const context = (call: string, session: string) =>
    `[[1],["ToolContext",2],{"callId":3,"session":4},"${call}","${session}"]`;
  expect(valueDifference(context("c", "s1"), context("c", "s2"))).toBeUndefined();
  expect(valueDifference(context("c", "s"), context("d", "s"))).toBeDefined();
  const signal = (aborted: boolean) => `[[1],["AbortSignal",2],{"id":3,"aborted":4},"call",${aborted}]`;
  expect(valueDifference(signal(true), signal(false))).toBeUndefined();
});

test("values that refer to themselves are compared too", () => {
  const cyclic = (n: number) => {
    const value: Record<string, unknown> = { n };
    value.self = value;
    return value;
  };
  expect(difference(cyclic(1), cyclic(1))).toBeUndefined();
  expect(difference(cyclic(1), cyclic(2))).toBeDefined();
});
