import { DefinitionError } from "../errors.js";
import { checkOptions, describe } from "../options.js";
import type { JsonObject, ObjectSchema, SchemaOutput } from "../schema.js";
import { DEFINITION, type DefinitionMark } from "../symbols.js";
import type { Receive, WorkflowServeContext, WorkflowToolContext } from "./context.js";
import { checkCommonOptions, COMMON_OPTIONS, type CommonToolOptions } from "./define-tool.js";

/** Blocks its turn until it settles (`execute`), or runs each call as a task (`task`). A generator's yields are progress. */
export type WorkflowBody<Input, Output> = (
  input: Input,
  ctx: WorkflowToolContext,
) => Promise<Output> | AsyncGenerator<unknown, Output, void>;

/** Runs once per task and takes its calls from `receive()`. */
export type ServeBody<Input, Output> = (
  receive: Receive<Input>,
  ctx: WorkflowServeContext,
) => Promise<Output>;

/** Exactly one entry point. */
export type EntryPoint<Input, Output> =
  | { execute: WorkflowBody<Input, Output>; task?: never; serve?: never }
  | { task: WorkflowBody<Input, Output>; execute?: never; serve?: never }
  | { serve: ServeBody<Input, Output>; execute?: never; task?: never };

export type EntryPointName = "execute" | "task" | "serve";

/** A tool whose calls are durable runs. */
export type WorkflowToolDefinition<Input = JsonObject, Output = unknown> = CommonToolOptions<Input, Output> &
  EntryPoint<Input, Output> & {
    readonly [DEFINITION]: DefinitionMark;
    readonly inputSchema: ObjectSchema;
  };

const ENTRY_POINTS: readonly EntryPointName[] = ["execute", "task", "serve"];

const REMOVED = {
  execution: '"execution" was replaced by task(). Define task(input, ctx) to run each call as a task.',
};

/**
 * Defines a workflow tool: the default export of a file under `agent/tools/`, with `"use workflow"` as the
 * first statement of its one entry point.
 *
 * ```ts
 * export default defineWorkflowTool({
 *   description: "Deploy a service.",
 *   inputSchema: z.object({ service: z.string() }),
 *   async execute({ service }, ctx) {
 *     "use workflow";
 *     return await deploy(service);
 *   },
 * });
 * ```
 *
 * @throws DefinitionError (`INVALID_DEFINITION`) for no or several entry points, and for missing, unknown,
 * removed or malformed options.
 */
export function defineWorkflowTool<S extends ObjectSchema, Output, Input = SchemaOutput<S>>(
  options: CommonToolOptions<Input, Output> & { inputSchema: S } & EntryPoint<Input, Output>,
): WorkflowToolDefinition<Input, Output> {
  checkOptions("defineWorkflowTool", options, [...COMMON_OPTIONS, ...ENTRY_POINTS], REMOVED);
  checkCommonOptions("defineWorkflowTool", options);
  entryPointOf(options);
  return Object.freeze({ ...options, [DEFINITION]: { kind: "workflow-tool", version: 1 } as const });
}

/**
 * The one entry point of a definition.
 * @throws DefinitionError when there is none, more than one, or it is no function.
 */
export function entryPointOf(options: Partial<Record<EntryPointName, unknown>>): EntryPointName {
  const [name, ...more] = ENTRY_POINTS.filter((key) => options[key] !== undefined);
  if (name === undefined) {
    throw new DefinitionError(
      "defineWorkflowTool() needs exactly one entry point: execute(input, ctx), task(input, ctx) or serve(receive, ctx).",
    );
  }
  if (more.length > 0) {
    throw new DefinitionError(
      `defineWorkflowTool() takes exactly one entry point; this definition has ${[name, ...more].join(" and ")}.`,
    );
  }
  if (typeof options[name] !== "function") {
    throw DefinitionError.of(
      "defineWorkflowTool",
      name,
      `defineWorkflowTool(): "${name}" must be an async function, got ${describe(options[name])}.`,
    );
  }
  return name;
}
