import { expect, test } from "vitest";
import { runScript } from "./testing/child.js";

test("the watchdog names a body that doesn't yield, while it hangs, and leaves the others alone", async () => {
  const { status, stdout, stderr } = await runScript(
    `
    import { readFileSync, mkdtempSync } from "node:fs";
    import path from "node:path";
    import { tmpdir } from "node:os";
    import { createWatchdog } from "./replay/watchdog.js";
    import { start } from "./replay/testing/bodies.js";
    const file = path.join(mkdtempSync(path.join(tmpdir(), "eve-dog-")), "stalls");
    const watchdog = createWatchdog({ limit: 60, file });
    await new Promise((resolve) => setTimeout(resolve, 100));
    const quick = start("async function main() { for (let i = 0; i < 20; i++) await a(i); }", { watchdog });
    for (let i = 0; i < 20; i += 1) {
      quick.resolve("step//./t//a#" + i);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    start("async function main() { for (;;) await null; }", { watchdog, timeout: 300 });
    `
      .replace('start("async function main() { for (;;)', 'try { start("async function main() { for (;;)')
      .replace(
        "timeout: 300 });",
        `timeout: 300 }); } catch (error) { console.log(error.code); }
    console.log(readFileSync(file, "utf8").replace(String(process.pid), "pid"));`,
      ),
  );
  expect(status).toBe(0);
  expect(stdout).toBe('BODY_TIMEOUT\n{"runId":"run_1","workflowId":"w","pid":pid}\n\n');
  expect(stderr).toBe(
    "warning: the body of w (run run_1) hasn't yielded for 60 ms. Look for a loop that never awaits a step, a sleep or a hook.\n",
  );
});
