import { expect, expectTypeOf, it } from "vitest";
import { resumeHook, start } from "./api.js";
import type { Run } from "./types.js";

const pay = async (_order: string, _cents: number) => true;
const tidy = async () => "done";

it("asks for the workflow's own arguments", () => {
  expectTypeOf(start<[string, number], boolean>).returns.resolves.toEqualTypeOf<Run<boolean>>();
  const calls = () => [start(pay, ["o", 1]), start(tidy), start(tidy, [])];
  expectTypeOf(calls).toBeFunction();
  // @ts-expect-error an argument is missing
  const missing = () => start(pay, ["o"]);
  // @ts-expect-error all arguments are missing
  const none = () => start(pay);
  expectTypeOf(missing).toBeFunction();
  expectTypeOf(none).toBeFunction();
});

it("refuses a function that wasn't compiled", async () => {
  await expect(start(tidy)).rejects.toThrow(/"use workflow"/);
});

it("says what it takes when it gets nothing", async () => {
  await expect(start(undefined as never)).rejects.toThrow(/^start\(\) takes a function with "use workflow"/);
  await expect(resumeHook(undefined as never, 1)).rejects.toThrow(
    /^resumeHook\(\) takes a hook or its token/,
  );
  await expect(resumeHook({} as never, 1)).rejects.toThrow(TypeError);
});
