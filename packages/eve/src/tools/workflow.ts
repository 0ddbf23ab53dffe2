import { DefinitionError } from "../errors.js";

export interface WorkflowOptions {
  /** How many agent sessions one program may open: 1 to 128, default 100. */
  maxSubagents?: number;
}

/** The tool that runs a program written by the model. Not offered in this version. @throws DefinitionError (`NOT_AVAILABLE`), always. */
export function workflow(_options: WorkflowOptions = {}): never {
  throw new DefinitionError(
    "workflow() needs agent sessions, which this version of eve doesn't have. Write the workflow as a tool with defineWorkflowTool instead.",
    "NOT_AVAILABLE",
  );
}
