import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { decode } from "@jridgewell/sourcemap-codec";
import { describe, expect, test } from "vitest";
import { lineStarts, withoutBom } from "../parse/lines.js";
import type { SourceMapV3 } from "../types.js";
import {
  bundleFixture,
  emitFile,
  inputOf,
  loadFixture,
  type FixtureExpectation,
} from "./testing/run-fixture.js";

const root = fileURLToPath(new URL("../../../../fixtures/transform", import.meta.url));
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(path.join(root, entry.name, "expect.json")))
  .map((entry) => entry.name)
  .sort();

describe.each(names)("%s", (name) => {
  const folder = path.join(root, name);
  const expectation = JSON.parse(
    readFileSync(path.join(folder, "expect.json"), "utf8"),
  ) as FixtureExpectation;
  const input = inputOf(folder);

  test("the emitted modules are the expected ones", async () => {
    for (const mode of ["workflow", "step"] as const) {
      const { code, map } = emitFile(input, mode, expectation.exports);
      await expect(code).toMatchFileSnapshot(path.join(folder, `${mode}${path.extname(input)}`));
      if (expectation.map !== true) continue;
      const pairs = decodedPairs(
        code,
        withoutBom(readFileSync(input, "utf8")),
        JSON.parse(map) as SourceMapV3,
      );
      await expect(pairs).toMatchFileSnapshot(path.join(folder, `${mode}.map.txt`));
    }
  });

  test("the bundles run like the source", async () => {
    const workflowCode = await bundleFixture(folder, "workflow", expectation);
    const stepCode = await bundleFixture(folder, "step", expectation);
    for (const text of expectation.workflowLacks ?? []) expect(workflowCode).not.toContain(text);
    expect(workflowCode).not.toMatch(/["']use (?:step|workflow)["']/);

    const loaded = await loadFixture(stepCode, workflowCode);
    for (const run of expectation.run) {
      loaded.calls.length = 0;
      const body = loaded.workflows.get(run.workflow);
      expect(body, run.workflow).toBeTypeOf("function");
      if (body === undefined) continue;
      expect(body.workflowId).toBe(run.workflow);
      const started = body(...run.args);
      const result = run.yields
        ? await drain(started as AsyncGenerator<unknown>)
        : { yields: undefined, returns: await started };
      expect(plain(result.returns)).toEqual(run.returns);
      if (run.yields) expect(plain(result.yields)).toEqual(run.yields);
      expect(loaded.calls).toEqual(run.steps);
    }
    for (const [id, step] of loaded.steps) expect(step.stepId).toBe(id);
  });
});

async function drain(generator: AsyncGenerator<unknown>): Promise<{ yields: unknown[]; returns: unknown }> {
  const yields: unknown[] = [];
  for (;;) {
    const { done, value } = await generator.next();
    if (done === true) return { yields, returns: value };
    yields.push(value);
  }
}

/** Without the prototypes of the other realm. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** One line for each mapped piece of the output: what it says there, and what stands at its origin. */
function decodedPairs(code: string, source: string, map: SourceMapV3): string {
  const output = code.split("\n");
  const starts = lineStarts(source);
  const lines: string[] = [];
  decode(map.mappings).forEach((segments, line) => {
    segments.forEach((segment, index) => {
      if (segment.length === 1) return;
      const [column, , sourceLine, sourceColumn] = segment;
      const end = segments[index + 1]?.[0];
      const emitted = (output[line] ?? "").slice(column, end).trim();
      const original = source.slice((starts[sourceLine] ?? 0) + sourceColumn).split(/[\r\n]/)[0] ?? "";
      if (emitted !== "")
        lines.push(
          `${line + 1}:${column + 1} ${emitted}  <-  ${sourceLine + 1}:${sourceColumn + 1} ${original.slice(0, 24).trim()}`,
        );
    });
  });
  return `${lines.join("\n")}\n`;
}
