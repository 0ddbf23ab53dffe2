/**
 * Errors of steps that reach nobody: a rejected promise that no code awaits, an exception out of a timer or an event.
 * The step that made them is known by the async context they happen in.
 */
import process from "node:process";
import { claimRejections } from "../replay/rejections.js";
import { stepScope } from "./scope.js";

let watching = false;

/** Called before the first step runs; what the process does about errors from elsewhere stays as it is. */
export function watchStrays(): void {
  if (watching) return;
  watching = true;
  claimRejections((reason) => {
    const scope = stepScope.getStore();
    scope?.stray("rejection", reason);
    return scope !== undefined;
  });
  // A monitor changes nothing: an app that has a listener of its own handles its exceptions itself.
  process.on("uncaughtExceptionMonitor", (error, origin) => {
    if (origin === "uncaughtException" && process.listenerCount("uncaughtException") === 0)
      stepScope.getStore()?.stray("exception", error);
  });
}
