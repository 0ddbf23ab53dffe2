import { describe, expect, test } from "vitest";
import { runScript } from "./testing/child.js";

const PRELUDE = `import { start } from "./replay/testing/bodies.js";
const tick = () => new Promise((resolve) => setTimeout(resolve, 20));
`;

describe("a rejected promise of a body", () => {
  test("that nobody awaits yet ends nothing, and can be awaited later", async () => {
    const { status, stdout, stderr } = await runScript(`${PRELUDE}
      const body = start(\`async function main() {
        const later = (async () => { await a(); })();
        class Own extends Promise {}
        const own = Own.reject(new Error("own"));
        await sleep(1000);
        await own.catch(() => 1);
        try { await later; } catch (error) { return error.message; }
      }\`);
      body.reject("step//./t//a#0", new Error("early"));
      await tick();
      body.resolve("sleep#0");
      await tick();
      console.log(body.output(), body.unhandled.length);`);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "early 0\n", stderr: "" });
  });

  test("that nobody ever handles is reported with its call site when the body has ended", async () => {
    const { status, stdout } = await runScript(`${PRELUDE}
      const body = start(\`async function forgotten() {
  await a();
}
async function main(signal) {
  void forgotten();
  const controller = new AbortController();
  controller.signal.addEventListener("abort", () => { throw new Error("in a listener"); });
  controller.abort();
  queueMicrotask(() => { throw new Error("in a microtask"); });
  Promise.reject(undefined);
  await sleep(1);
  return 1;
}\`);
      body.reject("step//./t//a#0", new Error("nobody saw this"));
      await tick();
      const before = body.unhandled.length;
      body.resolve("sleep#0");
      await tick();
      console.log(JSON.stringify([before, body.unhandled.toSorted?.() ?? [...body.unhandled].sort()]));`);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      0,
      [
        expect.stringMatching(/^Error: in a listener\n {4}at .*eve:\/workflow\.cjs:17:/),
        expect.stringMatching(/^Error: in a microtask\n {4}at .*eve:\/workflow\.cjs:19:/),
        expect.stringMatching(/^Error: nobody saw this[^]*at async forgotten \(eve:\/workflow\.cjs:12:/),
        "undefined",
      ],
    ]);
  });
});

describe("a rejected promise of the host", () => {
  test.each(['new Error("host fault")', '"host fault"'])("still ends the process: %s", async (reason) => {
    const { status, stderr, stdout } = await runScript(`${PRELUDE}
      start("async function main() { await a(); }");
      Promise.reject(${reason});
      await tick();
      console.log("still here");`);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toContain("host fault");
  });

  test("is left to the other listeners of the process", async () => {
    const { status, stdout } = await runScript(`${PRELUDE}
      process.on("unhandledRejection", (reason) => console.log("theirs", reason));
      start("async function main() { await a(); }");
      Promise.reject("x");
      await tick();`);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "theirs x\n" });
  });
});
