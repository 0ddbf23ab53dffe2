import { expect, test } from "vitest";
import { typesBesideObject } from "./model-schema.js";

const OBJECT = { type: "object" };
const TEXT = { type: "string" };

test.each<[object, string[]]>([
  [{}, []],
  [OBJECT, []],
  [TEXT, ["string"]],
  [{ type: ["object", "null"] }, []],
  [{ type: ["string", "null"] }, ["string", "null"]],
  [{ $ref: "#/$defs/a", $defs: { a: TEXT } }, []],
  [{ anyOf: [OBJECT, TEXT] }, []],
  [{ anyOf: [TEXT, { type: "null" }] }, ["string", "null"]],
  [{ oneOf: [TEXT, { anyOf: [TEXT] }] }, ["string"]],
  [{ anyOf: [] }, []],
  [{ anyOf: [TEXT, {}] }, []],
  [{ allOf: [OBJECT, {}] }, []],
  [{ allOf: [{ anyOf: [OBJECT] }, TEXT] }, ["string"]],
  [{ type: "object", anyOf: [TEXT] }, []],
  [{ properties: { type: TEXT } }, []],
])("what %j describes instead of an object", (schema, types) => {
  expect(typesBesideObject(schema)).toEqual(types);
});
