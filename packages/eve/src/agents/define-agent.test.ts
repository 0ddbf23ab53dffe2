import { expect, it } from "vitest";
import { mockModel } from "../evals.js";
import { defineAgent, DefinitionError } from "../index.js";
import { definitionMark } from "../symbols.js";

it("defines an agent with a model id or a model object", () => {
  expect(definitionMark(defineAgent({ model: "anthropic/claude-opus-5.5" }))?.kind).toBe("agent");
  expect(
    defineAgent({ model: mockModel("ok"), modelContextWindowTokens: 64_000 }).modelContextWindowTokens,
  ).toBe(64_000);
});

it.each([
  [{}, /"model"/],
  [{ model: "" }, /"model".*empty string/],
  [{ model: "m", tool: "no" }, /"tool" must be true or false/],
  [{ model: "m", limits: { maxStepsPerTurn: 0 } }, /limits\.maxStepsPerTurn.*at least 1/],
  [{ model: "m", limits: { maxSteps: 1 } }, /no option "maxSteps"/],
  [{ modle: "m" }, /Did you mean "model"/],
])("refuses %j", (options, message) => {
  expect(() => defineAgent(options as never)).toThrow(DefinitionError);
  expect(() => defineAgent(options as never)).toThrow(message);
});

it("answers with the given text in both call forms", async () => {
  const model = mockModel("ok");
  expect(await model.doGenerate()).toMatchObject({ content: [{ type: "text", text: "ok" }] });
  const parts: unknown[] = [];
  for await (const part of (await model.doStream()).stream) parts.push(part);
  expect(parts).toContainEqual({ type: "text-delta", id: "0", delta: "ok" });
});
