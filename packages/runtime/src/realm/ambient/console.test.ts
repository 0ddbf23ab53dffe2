import { expect, test } from "vitest";
import { start, STEP_A } from "../../replay/testing/bodies.js";

const CODE = `async function main() {
  class Point { constructor() { this.x = 1; } }
  const loop = { a: 1 }; loop.self = loop;
  console.log("hello %s, %d %i %f %j %o %c%%", "you", "4.5", "4.5", "4.5", { a: 1 }, { b: 2 }, "css", "rest", { c: [1, "two"] });
  console.warn(loop, new Point(), [], {}, new Map([["k", 1]]), new Set([1n]), null, undefined, -0, Symbol("s"), () => 1);
  console.error(new Date(0), /x/g, new Uint8Array(2), { "a-b": new Date(NaN) });
  console.info({ get boom() { throw new Error("getter"); } });
  console.group("outer"); console.debug("in\\nside"); console.groupEnd();
  console.count(); console.count(); console.assert(false, "told"); console.assert(true);
  console.time("t"); console.timeEnd("t"); console.table([1]); console.dir("text");
  console.log({ a: { b: { c: { d: { e: { f: 1 } } } } } });
  console.log(Array.from({ length: 102 }, (_, n) => n).slice(99).concat(Object.create(null)));
  await a();
  console.log("after");
  console.trace("here");
}`;

test("the console collects lines for the host", () => {
  const body = start(CODE);
  expect(body.console).toEqual([
    'log: hello you, 4.5 4 4.5 {"a":1} { b: 2 } % rest { c: [1, "two"] }',
    'warn: { a: 1, self: [Circular] } Point { x: 1 } [] {} Map(1) { "k" => 1 } Set(1) { 1n } null undefined -0 Symbol(s) [Function: anonymous]',
    'error: 1970-01-01T00:00:00.000Z /x/g Uint8Array(2) [0, 0] { "a-b": Invalid Date }',
    "info: (a value that can't be shown: getter)",
    "log: outer",
    "debug:   in\n  side",
    "log: default: 1",
    "log: default: 2",
    "error: Assertion failed: told",
    "log: t: 0ms",
    "log: [1]",
    'log: "text"',
    "log: { a: { b: { c: { d: { e: [Object] } } } } }",
    "log: [99, 100, 101, [Object: null prototype] {}]",
  ]);
  body.resolve(`${STEP_A}#0`);
  expect(body.console.slice(14)).toEqual([
    "log: after",
    expect.stringMatching(/^error: Trace: here\n {4}at main \(eve:/),
  ]);
});

test("the console is silent while replaying", () => {
  expect(start(CODE, { replaying: true }).console).toEqual([]);
});
