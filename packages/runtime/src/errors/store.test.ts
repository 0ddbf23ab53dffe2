import path from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { describeError } from "./base.js";
import { StoreFullError, StoreLockedError } from "./store.js";

const holder = { pid: 77, host: "box", startedAt: "2026-01-01T00:00:00.000Z" };

test("who meets a locked folder learns how to reach its runs, and how to go on", () => {
  const url = "http://127.0.0.1:3000";
  expect(describeError(new StoreLockedError(path.resolve(".eve/data"), { ...holder, url }))).toBe(
    "The data folder .eve/data is in use by process 77 on box, running since 2026-01-01T00:00:00.000Z, " +
      "listening on http://127.0.0.1:3000. While it listens, `eve runs answer` and `eve runs cancel` reach its runs. " +
      "To go on here, stop process 77 with Ctrl-C first: its runs are left waiting.",
  );
});

test("a holder that doesn't listen can only be stopped", () => {
  const text = describeError(new StoreLockedError("/elsewhere/data", holder));
  expect(text).toMatch(/^The data folder \/elsewhere\/data is in use by process 77/);
  expect(text).not.toContain("eve runs");
  expect(text).toContain("stop process 77 with Ctrl-C");
});

test("a holder that hasn't said who it is yet may do so soon", () => {
  expect(describeError(new StoreLockedError("/elsewhere/data", undefined))).toContain("try again");
});

test("files below the working directory are named from there, others in full", () => {
  expect(new StoreFullError(path.join(process.cwd(), "a", "eve.db")).message).toContain("write a/eve.db;");
  const outside = path.join(path.dirname(process.cwd()), "eve.db");
  expect(new StoreFullError(outside).message).toContain(`write ${outside};`);
});
