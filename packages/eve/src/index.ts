export {
  defineAgent,
  type AgentDefinition,
  type AgentLimits,
  type AgentOptions,
  type ModelReference,
} from "./agents/define-agent.js";
export { DefinitionError } from "./errors.js";
