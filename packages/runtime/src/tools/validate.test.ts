import { expect, it } from "vitest";
import { z } from "zod";
import { validate } from "./validate.js";

const zodSchema = z.object({
  service: z.string(),
  tries: z.number().default(3),
  tags: z.array(z.string()).optional(),
});
const jsonSchema = {
  type: "object",
  properties: {
    service: { type: "string" },
    tries: { type: "number", default: 3 },
    tags: { type: "array", items: { type: "string" } },
    "odd/name": { enum: ["a", "b"] },
  },
  required: ["service"],
  additionalProperties: false,
};

it.each([
  ["zod", zodSchema],
  ["JSON Schema", jsonSchema],
  ["draft 7", { $schema: "http://json-schema.org/draft-07/schema#", ...jsonSchema }],
])("gives the value with defaults, or every issue with its path: %s", async (_name, schema) => {
  expect(await validate(schema, { service: "api" })).toEqual({
    ok: true,
    value: { service: "api", tries: 3 },
  });
  const result = await validate(schema, { service: 1, tags: ["x", 2] });
  expect(result).toMatchObject({ ok: false });
  expect(!result.ok && result.issues.map(({ path }) => path)).toEqual(["service", "tags[1]"]);
});

it("names what JSON Schema keeps in its parameters", async () => {
  const result = await validate(jsonSchema, { service: "api", extra: 1, "odd/name": "c" });
  expect(result).toEqual({
    ok: false,
    issues: [
      { path: "", message: "must NOT have additional properties (extra)" },
      { path: '["odd/name"]', message: 'must be equal to one of the allowed values ("a", "b")' },
    ],
  });
});

it("doesn't change the given value", async () => {
  const input = { service: "api" };
  await validate(jsonSchema, input);
  expect(input).toEqual({ service: "api" });
});
