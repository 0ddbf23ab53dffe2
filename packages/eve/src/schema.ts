import type { StandardSchemaV1 } from "@standard-schema/spec";
import { DefinitionError } from "./errors.js";
import { describe } from "./options.js";

/** A JSON value. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** A plain JSON Schema (draft 2020-12 or draft 7) whose root is an object. */
export interface JsonSchemaObject {
  readonly type: "object";
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** What a tool's `inputSchema` may be: Zod, any Standard Schema, or a plain JSON Schema object. */
export type ObjectSchema = StandardSchemaV1 | JsonSchemaObject;

/** What a schema gives after validation; `JsonObject` for a plain JSON Schema. */
export type SchemaOutput<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : JsonObject;

export type JsonObject = { [key: string]: Json };

/** True for Zod 3.24+, Zod 4, Valibot, ArkType … (https://standardschema.dev). */
export function isStandardSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== "object" && typeof value !== "function") || value === null) return false;
  const standard = (value as { "~standard"?: unknown })["~standard"];
  return typeof standard === "object" && standard !== null && "validate" in standard;
}

/** Throws a `DefinitionError` unless the value can serve as an object schema. */
export function checkObjectSchema(factory: string, key: string, value: unknown): void {
  if (isStandardSchema(value)) return;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw DefinitionError.of(
      factory,
      key,
      `${factory}() needs "${key}": a Zod object, another Standard Schema, or a JSON Schema with type "object"; got ${describe(value)}.`,
    );
  }
  const { type } = value as { type?: unknown };
  if (type !== "object") {
    throw DefinitionError.of(
      factory,
      key,
      `${factory}(): "${key}" must describe an object (a tool's input is a JSON object), its type is ${JSON.stringify(type) ?? "missing"}.`,
    );
  }
}
