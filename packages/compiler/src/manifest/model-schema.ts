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
