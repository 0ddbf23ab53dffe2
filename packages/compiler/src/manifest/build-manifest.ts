import type { AgentFiles, NamedModule } from "../discovery/agent-files.js";
import type { ToolFacts } from "../evaluate/describe.js";
import type { SourceModule } from "../graph/source-module.js";
import { functionId, moduleId } from "../ids/index.js";
import type { EntryPoint } from "../graph/entry-points.js";
import type {
  Manifest,
  ManifestAgent,
  ManifestFunction,
  ManifestTool,
  ManifestWorkflow,
} from "./manifest.js";
import { withTaskId } from "./model-schema.js";

export interface ManifestInput {
  agent: AgentFiles;
  /** All analysed modules of the app. */
  modules: readonly SourceModule[];
  /** By the tool module's absolute path. */
  entryPoints: ReadonlyMap<string, EntryPoint>;
  /** What evaluation told, by absolute path; empty without evaluation. */
  facts: ReadonlyMap<string, ToolFacts>;
  /** From the lock file. */
  aliases: Readonly<Record<string, string>>;
  nameOf: (file: string) => string;
}

/** Puts the manifest together, all keys sorted. */
export function buildManifest(input: ManifestInput): Manifest {
  const { agent } = input;
  const workflows: Record<string, ManifestWorkflow> = {};
  const steps: Record<string, ManifestFunction> = {};
  for (const { identity, path, analysis } of input.modules) {
    if (identity.kind === "eve") continue;
    for (const { kind, name, line, column } of analysis.directives) {
      const table = kind === "workflow" ? workflows : steps;
      table[functionId(kind, moduleId(identity), name)] = { file: input.nameOf(path), line, column, name };
    }
  }
  const tables: Tables = { agents: {}, tools: {}, workflows };
  addAgent(agent, "", tables, input);
  return {
    version: 1,
    workflows: sorted(workflows),
    steps: sorted(steps),
    tools: sorted(tables.tools),
    agents: sorted(tables.agents),
    ...(Object.keys(input.aliases).length === 0 ? {} : { aliases: sorted(input.aliases) }),
  };
}

interface Tables {
  agents: Record<string, ManifestAgent>;
  tools: Record<string, ManifestTool>;
  workflows: Record<string, ManifestWorkflow>;
}

/** The text of `manifest.json`. */
export function formatManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

function addAgent(files: AgentFiles, prefix: string, tables: Tables, input: ManifestInput): void {
  for (const { name, file } of files.tools) {
    const tool = manifestTool(file, input);
    tables.tools[prefix + name] = tool;
    const workflow = tool.workflowId === undefined ? undefined : tables.workflows[tool.workflowId];
    if (workflow !== undefined) workflow.tool ??= prefix + name;
  }
  const places = (modules: readonly NamedModule[]): Record<string, { file: string }> =>
    Object.fromEntries(modules.map(({ name, file }) => [name, { file: input.nameOf(file) }]));
  tables.agents[prefix === "" ? "." : prefix.slice(0, -1)] = {
    ...(files.definition === undefined ? {} : { file: input.nameOf(files.definition) }),
    ...(files.instructions === undefined ? {} : { instructions: input.nameOf(files.instructions.file) }),
    tools: files.tools.map(({ name }) => name),
    channels: places(files.channels),
    schedules: places(files.schedules),
    subagents: files.subagents.map(({ name }) => name),
  };
  for (const sub of files.subagents) addAgent(sub, `${prefix}${sub.name}/`, tables, input);
}

function manifestTool(file: string, { modules, entryPoints, facts, nameOf }: ManifestInput): ManifestTool {
  const reading = modules.find((module) => module.path === file)?.analysis.tool;
  const entry = entryPoints.get(file);
  const known = facts.get(file);
  const evaluated = known?.kind === "tool" || known?.kind === "workflow-tool" ? known : undefined;
  const entryPoint = reading?.entryPoint ?? evaluated?.entryPoint;
  const description = evaluated?.description ?? reading?.description;
  const inputSchema =
    evaluated?.inputSchema ?? (reading?.inputSchemaLiteral as Record<string, unknown> | undefined);
  return {
    file: nameOf(file),
    kind: evaluated?.kind ?? kindOfReading(reading?.factory),
    ...(entryPoint === undefined ? {} : { entryPoint }),
    ...(entry === undefined ? {} : { workflowId: entry.id }),
    ...(description === undefined ? {} : { description }),
    ...(inputSchema === undefined ? {} : { inputSchema }),
    ...(inputSchema === undefined
      ? {}
      : { modelInputSchema: entryPoint === "serve" ? withTaskId(inputSchema) : inputSchema }),
  };
}

function kindOfReading(factory: string | undefined): ManifestTool["kind"] {
  if (factory === "defineWorkflowTool") return "workflow-tool";
  return factory === "defineTool" ? "tool" : "other";
}

function sorted<T>(table: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(table).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
