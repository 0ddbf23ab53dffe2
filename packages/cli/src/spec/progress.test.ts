// Each test is named after the sentence of the specification that it proves.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appWith, toolSource } from "../testing/cli.js";
import { compiledApp, type CompiledApp } from "../testing/compiled.js";

const GENERATOR = { entry: "async *execute(input: any, ctx: any)" };
const tools = {
  snapshots: toolSource('yield 1; yield { half: true }; return "done";', "", GENERATOR),
  fallsBack: toolSource("yield { last: 1 }; yield { last: 2 };", "", GENERATOR),
  explicitNull: toolSource('yield "snapshot"; return null;', "", GENERATOR),
  nothing: toolSource("await sleep(0);"),
  silent: toolSource("await sleep(0);", "", GENERATOR),
  remind_with_progress: toolSource(
    'yield { status: "preparing reminder" };\n    await sleep(input.delay);\n    return { reminder: input.note };',
    "",
    GENERATOR,
  ),
  notJson: toolSource("return new Map([[1, 2]]);"),
};

let app: CompiledApp & { dispose(): Promise<void> };
beforeAll(async () => {
  app = await compiledApp(appWith(tools));
});
afterAll(() => app.dispose());

const outputOf = async (tool: string) => await app.result(await app.call(tool));

describe("Report progress: yield", () => {
  it("A workflow body may be an async generator whose yields report progress", async () => {
    const runId = await app.call("snapshots");
    expect((await app.report(runId)).progress).toEqual([1, { half: true }]);
  });

  it("return value: Settles the tool call with its output", async () => {
    expect(await outputOf("snapshots")).toEqual({ status: "completed", output: "done" });
  });

  it("No return value: Uses the last yield as output, or null if there were no yields", async () => {
    expect(await outputOf("fallsBack")).toEqual({ status: "completed", output: { last: 2 } });
    expect(await outputOf("silent")).toEqual({ status: "completed", output: null });
    expect(await outputOf("nothing")).toEqual({ status: "completed", output: null });
  });

  it("An explicit return null also falls back to the last yield", async () => {
    expect(await outputOf("explicitNull")).toEqual({ status: "completed", output: "snapshot" });
  });

  it("This workflow reports progress, then suspends until its timer expires", async () => {
    const runId = await app.call("remind_with_progress", { note: "tea", delay: "3m" });
    expect(await app.report(runId)).toMatchObject({
      status: "waiting",
      progress: [{ status: "preparing reminder" }],
    });
    await app.clock.advance(3 * 60_000 - 1);
    expect(await app.engine.run(runId).status()).toBe("waiting");
    await app.clock.advance(1);
    expect(await app.result(runId)).toEqual({ status: "completed", output: { reminder: "tea" } });
  });

  it("a body's result has to be JSON, and the failure says so", async () => {
    expect(await outputOf("notJson")).toMatchObject({
      status: "failed",
      error: { message: expect.stringMatching(/JSON/) },
    });
  });
});
