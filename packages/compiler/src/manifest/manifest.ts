/** `manifest.json`: what a build found. Keys of all tables are sorted; nothing depends on build options. */
export interface Manifest {
  version: 1;
  workflows: Record<string, ManifestWorkflow>;
  steps: Record<string, ManifestFunction>;
  /** By name; a tool of a subagent has the subagent's path of names before it: `researcher/search`. */
  tools: Record<string, ManifestTool>;
  /** The root agent under `.`, subagents under their path of names (`researcher/critic`). */
  agents: Record<string, ManifestAgent>;
  /**
   * Former id → present id, from `eve.ids.json`, both without package versions: runs in flight that know the former one
   * go on with the present one. Absent without aliases.
   */
  aliases?: Record<string, string>;
}

/** Where a function is. `file` is canonical: relative to the app root, or `<package>@<version>/<path>`. */
export interface ManifestFunction {
  file: string;
  /** 1-based; column in UTF-16 units. */
  line: number;
  column: number;
  name: string;
}

export interface ManifestWorkflow extends ManifestFunction {
  /** The tool whose entry point it is: a key of `Manifest.tools`. */
  tool?: string;
}

export interface ManifestTool {
  file: string;
  /** `other`: a definition that isn't read, such as `disableTool()`. */
  kind: "workflow-tool" | "tool" | "other";
  entryPoint?: "execute" | "task" | "serve";
  workflowId?: string;
  description?: string;
  /** JSON Schema of the input; absent when it wasn't evaluated and can't be read. */
  inputSchema?: Record<string, unknown>;
  /** What the model is shown: `serve` tools take an optional `taskId` besides. */
  modelInputSchema?: Record<string, unknown>;
}

export interface ManifestAgent {
  /** `agent.ts`. */
  file?: string;
  /** `instructions.md` or `instructions.ts`. */
  instructions?: string;
  /** Names of its tools, without the prefix that they have in `Manifest.tools`. */
  tools: string[];
  channels: Record<string, { file: string }>;
  schedules: Record<string, { file: string }>;
  /** Names of the agents below. */
  subagents: string[];
}
