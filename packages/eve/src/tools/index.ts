export { DefinitionError } from "../errors.js";
export type { Json, JsonObject, JsonSchemaObject, ObjectSchema, SchemaOutput } from "../schema.js";
export type { Approval, ApprovalDecision, ApprovalPolicy } from "./approval-types.js";
export type * from "./context.js";
export {
  defineDynamic,
  defineTool,
  disableTool,
  type CommonToolOptions,
  type DisabledToolDefinition,
  type ModelOutput,
  type ToolDefinition,
} from "./define-tool.js";
export {
  defineWorkflowTool,
  type EntryPoint,
  type EntryPointName,
  type ServeBody,
  type WorkflowBody,
  type WorkflowToolDefinition,
} from "./define-workflow-tool.js";
