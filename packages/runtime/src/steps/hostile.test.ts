import { describe, expect, test } from "vitest";
import { showRun } from "../inspect/show.js";
import { useScenario } from "../testing/scenario.js";

const scenario = useScenario();

const withGetter = (field: string) =>
  Object.defineProperty(new Error("plain"), field, {
    enumerable: true,
    get() {
      throw new Error(`no ${field}`);
    },
  });

const refuse = () => {
  throw new Error("trapped");
};

/** What a step throws, and what the message of its error says of it. */
const HOSTILE: [name: string, make: () => unknown, says: RegExp][] = [
  ["an error whose stack can't be read", () => withGetter("stack"), /plain/],
  ["an error whose cause can't be read", () => withGetter("cause"), /plain/],
  ["an error whose name can't be read", () => withGetter("name"), /plain/],
  ["an error whose message can't be read", () => withGetter("message"), /a value that can't be shown/],
  ["an error whose fatal can't be read", () => withGetter("fatal"), /plain/],
  ["an error whose data can't be read", () => withGetter("data"), /plain/],
  [
    "a proxy that answers nothing",
    () => new Proxy(new Error("p"), { get: refuse, getPrototypeOf: refuse, has: refuse }),
    /can't be shown|trapped/,
  ],
  ["an object without a prototype", () => Object.create(null), /a value that can't be shown/],
  ["an object whose toString throws", () => ({ toString: refuse }), /a value that can't be shown/],
  [
    "a getter that throws something hostile itself",
    () =>
      Object.defineProperty({}, "x", {
        enumerable: true,
        get() {
          throw Object.create(null);
        },
      }),
    /\[object Object\]/,
  ],
  ["a symbol", () => Symbol("s"), /Symbol\(s\)/],
  ["nothing", () => undefined, /undefined/],
];

describe("whatever a step throws is an ordinary failed attempt", () => {
  test.each(HOSTILE)("%s", async (_name, make, says) => {
    const thrower = Object.assign(
      () => {
        throw make();
      },
      { maxRetries: 1 },
    );
    await scenario.open(
      {
        w: `async () => {
          try { return await step("thrower")(); }
          catch (error) { return [error instanceof Error, error.name, error.attempts, error.message]; }
        }`,
      },
      { thrower },
    );
    const { runId, result } = await scenario.start();
    await scenario.harness.clock.advance(1_000);
    expect(await result).toEqual({
      status: "completed",
      output: [true, "StepError", 2, expect.stringMatching(says)],
    });
    const { steps } = await showRun(scenario.harness.store, runId);
    expect(steps).toMatchObject([{ status: "failed", history: [{ error: {} }, { error: {} }] }]);
    expect(scenario.harness.problems).toEqual([]);
  });

  test.each([
    ["a proxy", () => new Proxy({}, { ownKeys: refuse, getPrototypeOf: refuse, get: refuse })],
    [
      "a thenable that throws something hostile",
      () => ({
        // oxlint-disable-next-line unicorn/no-thenable -- what is tried here
        then: () => {
          throw Object.create(null);
        },
      }),
    ],
    [
      "an object whose getter throws something hostile",
      () => ({
        get a() {
          throw Object.create(null);
        },
      }),
    ],
  ])("and so is a result that can't be looked at: %s", async (_name, make) => {
    await scenario.open(
      { w: `async () => await step("giver")()` },
      { giver: Object.assign(make, { maxRetries: 0 }) },
    );
    const { result } = await scenario.start();
    await scenario.harness.clock.settle();
    expect(await result).toMatchObject({ status: "failed", error: { message: expect.any(String) } });
  });

  test("fatal is read from what can be read", async () => {
    let calls = 0;
    await scenario.open(
      { w: `async () => await step("thrower")()` },
      {
        thrower: () => {
          calls += 1;
          throw Object.assign(withGetter("name"), { fatal: true });
        },
      },
    );
    const { result } = await scenario.start();
    await scenario.harness.clock.settle();
    expect(await result).toMatchObject({ status: "failed", error: { message: "plain" } });
    expect(calls).toBe(1);
  });
});
