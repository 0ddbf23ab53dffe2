/** What evaluating a tool module tells of its default export. JSON only: it crosses a process border. */
export type ToolFacts =
  | {
      kind: "tool" | "workflow-tool";
      entryPoint?: "execute" | "task" | "serve";
      description: string;
      inputSchema: Record<string, unknown>;
    }
  | { kind: "other" }
  /** The module, or the definition in it, throws. `about`: what a `DefinitionError` of eve says of itself. */
  | { kind: "failed"; name: string; message: string; about?: { factory: string; option: string } }
  /** The definition's schema can't be told as JSON Schema. */
  | { kind: "undescribed"; message: string };

/**
 * Describes the default export of a tool module. Runs in the child process from its own source text, so it
 * refers to nothing outside itself.
 *
 * @param importModule imports a module of the app, or `zod-to-json-schema` of the compiler
 */
export async function describeDefinition(
  definition: unknown,
  importModule: (name: string) => Promise<unknown>,
): Promise<ToolFacts> {
  type Json = Record<string, unknown>;
  const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;
  const MARK = Symbol.for("eve.definition");

  /** Refuses properties that a library's object schema doesn't name, as the library's type does. */
  const close = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(close);
    if (!isObject(node)) return node;
    const closed: Json = {};
    for (const [key, value] of Object.entries(node)) {
      // Below these keys there are values of the author, not schemas.
      closed[key] = ["const", "default", "enum", "examples"].includes(key) ? value : close(value);
    }
    const isShape = closed["type"] === "object" && isObject(closed["properties"]);
    return isShape && !("additionalProperties" in closed)
      ? { ...closed, additionalProperties: false }
      : closed;
  };

  const exportOf = (module: unknown, name: string): ((...args: unknown[]) => unknown) | undefined => {
    for (const holder of [module, isObject(module) ? module["default"] : undefined]) {
      const found = isObject(holder) ? holder[name] : undefined;
      if (typeof found === "function") return found as (...args: unknown[]) => unknown;
    }
    return undefined;
  };

  const ofZod4 = async (schema: Json): Promise<unknown> => {
    // zod 3.25 has version 4 in a module of its own.
    for (const name of ["zod", "zod/v4"]) {
      const convert = exportOf(await importModule(name), "toJSONSchema");
      if (convert !== undefined) return convert(schema, { io: "input" });
    }
    throw new TypeError("the installed version of zod can't describe this schema as JSON Schema");
  };

  /** Tuples as the 2020-12 dialect writes them. */
  const modernTuples = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(modernTuples);
    if (!isObject(node)) return node;
    const { items, additionalItems, ...rest } = node;
    const modern: Json = {};
    for (const [key, value] of Object.entries(rest)) {
      modern[key] = ["const", "default", "enum", "examples"].includes(key) ? value : modernTuples(value);
    }
    if (Array.isArray(items)) modern["prefixItems"] = items.map(modernTuples);
    else if (items !== undefined) modern["items"] = modernTuples(items);
    if (additionalItems !== undefined) modern["items"] = modernTuples(additionalItems);
    return modern;
  };

  const ofZod3 = async (schema: Json): Promise<unknown> => {
    const convert = exportOf(await importModule("zod-to-json-schema"), "zodToJsonSchema");
    if (convert === undefined) throw new TypeError("zod-to-json-schema has no zodToJsonSchema");
    // Schemas that are used twice are written twice: few models follow references.
    return modernTuples(
      convert(schema, {
        target: "jsonSchema2019-09",
        $refStrategy: "none",
        effectStrategy: "input",
        pipeStrategy: "input",
      }),
    );
  };

  const ofLibrary = async (schema: Json, standard: Json): Promise<unknown> => {
    const own = standard["jsonSchema"];
    if (isObject(own) && typeof own["input"] === "function") return own["input"]({ target: "draft-2020-12" });
    if (standard["vendor"] === "zod") return "_zod" in schema ? ofZod4(schema) : ofZod3(schema);
    throw new TypeError(
      `the library ${JSON.stringify(standard["vendor"])} offers no JSON Schema of its schemas (Standard JSON Schema)`,
    );
  };

  const jsonSchema = async (schema: unknown): Promise<Json> => {
    const holder = typeof schema === "function" ? (schema as unknown as Json) : schema;
    if (!isObject(holder)) throw new TypeError("inputSchema is not a schema");
    const standard = holder["~standard"];
    if (!isObject(standard)) return holder;
    const described = close(await ofLibrary(holder, standard));
    if (!isObject(described)) throw new TypeError("inputSchema gives no JSON Schema");
    const { $schema: _dialect, ...rest } = described;
    return rest;
  };

  if (!isObject(definition)) return { kind: "other" };
  const mark = (definition as { [MARK]?: { kind?: string } })[MARK as never] as { kind?: string } | undefined;
  if (mark?.kind !== "tool" && mark?.kind !== "workflow-tool") return { kind: "other" };
  let inputSchema: Json;
  try {
    inputSchema = await jsonSchema(definition["inputSchema"]);
  } catch (error) {
    return { kind: "undescribed", message: error instanceof Error ? error.message : String(error) };
  }
  const names = ["execute", "task", "serve"] as const;
  const entryPoint = names.find((name) => definition[name] !== undefined);
  return {
    kind: mark.kind,
    ...(entryPoint === undefined ? {} : { entryPoint }),
    description: String(definition["description"]),
    inputSchema,
  };
}
