import { DefinitionError } from "../errors.js";
import { checkOptions, checkText, describe } from "../options.js";
import { checkObjectSchema, type JsonObject, type ObjectSchema, type SchemaOutput } from "../schema.js";
import { DEFINITION, type DefinitionMark } from "../symbols.js";
import type { Approval } from "./approval-types.js";
import type { ToolContext } from "./context.js";

/** Text, a JSON value, or parts, for the model. */
export type ModelOutput =
  | { type: "text"; value: string }
  | { type: "json"; value: unknown }
  | {
      type: "content";
      value: readonly (
        { type: "text"; text: string } | { type: "file"; mediaType: string; filename?: string; data: string }
      )[];
    };

/** What every kind of tool takes. */
export interface CommonToolOptions<Input, Output> {
  /** What the model reads to decide when to call the tool. */
  description: string;
  outputSchema?: ObjectSchema;
  /** Asks a person before the call runs. */
  approval?: Approval<Input>;
  /** What the model sees of the output. Default: the output itself. */
  toModelOutput?: (output: Output) => ModelOutput | Promise<ModelOutput>;
  /** A short name for people. */
  label?: string;
}

/** An ordinary tool: its `execute` runs once per attempt, outside workflows. */
export interface ToolDefinition<Input = JsonObject, Output = unknown> extends CommonToolOptions<
  Input,
  Output
> {
  readonly [DEFINITION]: DefinitionMark;
  readonly inputSchema: ObjectSchema;
  execute(input: Input, ctx: ToolContext): Output | Promise<Output> | AsyncGenerator<unknown, Output>;
}

export const COMMON_OPTIONS = [
  "description",
  "inputSchema",
  "outputSchema",
  "approval",
  "toModelOutput",
  "label",
] as const;

/** Throws a `DefinitionError` for a common option that can't be used. */
export function checkCommonOptions(factory: string, options: Record<string, unknown>): void {
  checkText(factory, "description", options["description"]);
  checkObjectSchema(factory, "inputSchema", options["inputSchema"]);
  if (options["outputSchema"] !== undefined)
    checkObjectSchema(factory, "outputSchema", options["outputSchema"]);
  if (options["label"] !== undefined) checkText(factory, "label", options["label"]);
  const { approval, toModelOutput } = options;
  if (toModelOutput !== undefined && typeof toModelOutput !== "function") {
    throw DefinitionError.of(
      factory,
      "toModelOutput",
      `${factory}(): "toModelOutput" must be a function, got ${describe(toModelOutput)}.`,
    );
  }
  if (
    approval !== undefined &&
    typeof approval !== "function" &&
    (typeof approval !== "object" || approval === null)
  ) {
    throw DefinitionError.of(
      factory,
      "approval",
      `${factory}(): "approval" must be a policy function or an object with one, got ${describe(approval)}.`,
    );
  }
}

/**
 * Defines an ordinary tool.
 * @throws DefinitionError (`INVALID_DEFINITION`) for a missing, unknown or malformed option.
 */
export function defineTool<S extends ObjectSchema, Output, Input = SchemaOutput<S>>(
  options: CommonToolOptions<Input, Output> & {
    inputSchema: S;
    execute(input: Input, ctx: ToolContext): Output | Promise<Output> | AsyncGenerator<unknown, Output>;
  },
): ToolDefinition<Input, Output> {
  checkOptions("defineTool", options, [...COMMON_OPTIONS, "execute"]);
  checkCommonOptions("defineTool", options);
  if (typeof options.execute !== "function") {
    throw DefinitionError.of(
      "defineTool",
      "execute",
      `defineTool() needs an "execute" function, got ${describe(options.execute)}.`,
    );
  }
  return Object.freeze({ ...options, [DEFINITION]: { kind: "tool", version: 1 } as const });
}

/** Hides the tool or agent of the same path-derived name from the model. */
export interface DisabledToolDefinition {
  readonly [DEFINITION]: DefinitionMark;
}

/** As the default export of `agent/tools/<name>.ts`: hides the inherited tool or agent `<name>` from the model. */
export function disableTool(): DisabledToolDefinition {
  return Object.freeze({ [DEFINITION]: { kind: "disabled-tool", version: 1 } as const });
}

/** Not offered in this version. @throws DefinitionError (`NOT_AVAILABLE`), always. */
export function defineDynamic(..._options: unknown[]): never {
  throw new DefinitionError(
    "defineDynamic() is not available in this version of eve. Define a static tool under agent/tools/ instead.",
    "NOT_AVAILABLE",
  );
}
