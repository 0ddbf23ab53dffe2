import type { StandardSchemaV1 } from "@standard-schema/spec";

/** One thing that is wrong with a value; `path` is `items[0].name`, or empty for the value itself. */
export interface Issue {
  path: string;
  message: string;
}

export type Validated = { ok: true; value: unknown } | { ok: false; issues: Issue[] };

/**
 * Checks a value against a tool's schema: a Standard Schema (its output, with defaults and transforms, is the
 * value) or a plain JSON Schema (draft 2020-12, or draft 7 when `$schema` says so).
 */
export async function validate(schema: unknown, value: unknown): Promise<Validated> {
  if (isStandardSchema(schema)) return await validateStandard(schema, value);
  return await validateJsonSchema(schema as Record<string, unknown>, value);
}

function isStandardSchema(schema: unknown): schema is StandardSchemaV1 {
  return (
    (typeof schema === "object" || typeof schema === "function") && schema !== null && "~standard" in schema
  );
}

async function validateStandard(schema: StandardSchemaV1, value: unknown): Promise<Validated> {
  const result = await schema["~standard"].validate(value);
  if (!result.issues) return { ok: true, value: result.value };
  const issues = result.issues.map(({ message, path = [] }) => ({
    message,
    path: pathText(path.map((part) => (typeof part === "object" ? part.key : part))),
  }));
  return { ok: false, issues };
}

async function validateJsonSchema(schema: Record<string, unknown>, value: unknown): Promise<Validated> {
  const draft7 = typeof schema["$schema"] === "string" && schema["$schema"].includes("draft-07");
  // Loaded when a plain JSON Schema is met: most tools bring their own validator.
  const [{ default: ajv }, { default: formats }] = await Promise.all([
    draft7 ? import("ajv") : import("ajv/dist/2020.js"),
    import("ajv-formats"),
  ]);
  const validator = new ajv.default({ allErrors: true, strict: false, useDefaults: true });
  formats.default(validator as Parameters<typeof formats.default>[0]);
  const check = validator.compile(schema);
  const copy: unknown = structuredClone(value); // defaults are written into it
  if (check(copy)) return { ok: true, value: copy };
  const issues = (check.errors ?? []).map(({ instancePath, message, params }) => {
    const detail = params as { additionalProperty?: string; allowedValues?: unknown[] };
    const extra =
      detail.additionalProperty ?? detail.allowedValues?.map((allowed) => JSON.stringify(allowed)).join(", ");
    return {
      path: pathText(instancePath.split("/").slice(1).map(unescapePointer)),
      message: `${message ?? "is invalid"}${extra ? ` (${extra})` : ""}`,
    };
  });
  return { ok: false, issues };
}

/** RFC 6901 §4. */
function unescapePointer(token: string): string | number {
  const text = token.replaceAll("~1", "/").replaceAll("~0", "~");
  return /^\d+$/.test(text) ? Number(text) : text;
}

function pathText(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path) {
    if (typeof part === "number") text += `[${part}]`;
    else if (/^[A-Za-z_$][\w$]*$/.test(String(part))) text += text === "" ? String(part) : `.${String(part)}`;
    else text += `[${JSON.stringify(String(part))}]`;
  }
  return text;
}
