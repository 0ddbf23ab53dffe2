type Schema = Record<string, unknown>;

const isObject = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The schema that the model is shown for a `serve` tool: with an optional `taskId` of a task that goes on. */
export function withTaskId(schema: Schema): Schema {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const taskId = {
    type: "string",
    description:
      "Id of a task that this tool started before; the call goes to that task. Leave it out to start a new task.",
  };
  return { ...schema, properties: { ...properties, taskId } };
}

/** Whether a schema itself declares `taskId`, at its root or in a branch of it. */
export function declaresTaskId(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (isObject(schema["properties"]) && "taskId" in schema["properties"]) return true;
  return ["allOf", "anyOf", "oneOf"].some((key) => {
    const branches = schema[key];
    return Array.isArray(branches) && branches.some(declaresTaskId);
  });
}

/**
 * The JSON types that a schema says its values are, when none of them is `object`: an input must be one. Branches count
 * where the schema itself names no type; what names none anywhere (`{}`, `$ref`) may be an object.
 */
export function typesBesideObject(schema: unknown): string[] {
  if (!isObject(schema)) return [];
  const { type, allOf, anyOf, oneOf } = schema;
  if (type !== undefined) {
    const types = (Array.isArray(type) ? type : [type]).filter((item) => typeof item === "string");
    return types.includes("object") ? [] : types;
  }
  const all = Array.isArray(allOf) ? allOf.map(typesBesideObject) : [];
  const hindering = all.find((types) => types.length > 0);
  if (hindering !== undefined) return hindering;
  for (const branches of [anyOf, oneOf]) {
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const types = branches.map(typesBesideObject);
    if (types.every((names) => names.length > 0)) return [...new Set(types.flat())];
  }
  return [];
}
