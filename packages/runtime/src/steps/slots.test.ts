import { describe, expect, test } from "vitest";
import { StepSlots } from "./slots.js";

const slots = (limit: number) => {
  let freed = 0;
  const made = new StepSlots(limit, () => (freed += 1));
  return { made, freed: () => freed };
};

describe("step slots", () => {
  test("there are as many as the limit says", () => {
    const { made, freed } = slots(2);
    const one = made.reserve(["r"]);
    expect(made.reserve(["r"])).toBeDefined();
    expect(made.reserve(["r"])).toBeUndefined();
    if (one) made.release(one);
    expect(freed()).toBe(1);
    expect(made.reserve(["r"])).toBeDefined();
    expect(made.reserve(["r"])).toBeUndefined();
  });

  test("giving one back twice doesn't make two", () => {
    const { made } = slots(1);
    const one = made.reserve(["r"]);
    if (!one) return expect.unreachable();
    made.release(one);
    made.release(one);
    expect(made.reserve(["r"])).toBeDefined();
    expect(made.reserve(["r"])).toBeUndefined();
  });

  test("a lent slot serves the run it was lent to and what that started, nobody else", async () => {
    const { made } = slots(1);
    const lender = made.reserve(["parent"]);
    if (!lender) return expect.unreachable();
    made.lend(lender, "child");
    expect(made.reserve(["stranger"])).toBeUndefined();
    const borrowed = made.reserve(["parent", "child", "grandchild"]);
    if (!borrowed) return expect.unreachable();
    expect(made.reserve(["parent", "child"])).toBeUndefined();
    let back = false;
    const taking = made.takeBack(lender).then(() => (back = true));
    await Promise.resolve();
    expect(back).toBe(false);
    made.release(borrowed);
    await taking;
    expect(made.reserve(["parent", "child"])).toBeUndefined();
    made.release(lender);
    expect(made.reserve(["stranger"])).toBeDefined();
  });

  test("a borrower keeps its slot when the lender's run ends first", () => {
    const { made } = slots(1);
    const lender = made.reserve(["parent"]);
    if (!lender) return expect.unreachable();
    made.lend(lender, "child");
    const borrowed = made.reserve(["parent", "child"]);
    if (!borrowed) return expect.unreachable();
    made.release(lender);
    expect(made.reserve(["r"])).toBeUndefined();
    made.release(borrowed);
    expect(made.reserve(["r"])).toBeDefined();
  });

  test.each([0, -1, 1.5, Number.NaN])("a limit of %s is refused", (limit) => {
    expect(() => slots(limit)).toThrow(RangeError);
  });
});
