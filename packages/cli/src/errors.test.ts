import { expect, it } from "vitest";
import { messageOf, UsageError } from "./errors.js";

it("shows messages written for people with the next action, and never a stack", () => {
  expect(messageOf(new UsageError("Name a tool."))).toBe("Name a tool.");
  expect(messageOf(Object.assign(new Error("It is taken."), { code: "X", action: "Wait." }))).toBe(
    "It is taken. Wait.",
  );
  expect(messageOf(Object.assign(new Error("No app."), { code: "X", help: "Make one." }))).toBe(
    "No app. Make one.",
  );
});

it("says what a system error means and where", () => {
  const full = Object.assign(new Error("ENOSPC: no space left on device, write"), {
    code: "ENOSPC",
    syscall: "write",
    path: "a/b",
  });
  expect(messageOf(full)).toMatch(/^a\/b: the disk is full\. .*\(ENOSPC\)\.$/);
  const odd = Object.assign(new Error("EXOTIC"), { code: "EXOTIC", syscall: "fsync" });
  expect(messageOf(odd)).toBe("the file system: fsync failed (EXOTIC).");
});

it("calls everything else a fault of eve", () => {
  expect(messageOf(new TypeError("x is undefined"))).toMatch(
    /^internal error: TypeError: x is undefined\nThis is a fault in eve/,
  );
  expect(messageOf("text")).toBe("internal error: text was thrown");
});
