import { readFileSync } from "node:fs";
import type { AgentFiles, NamedModule } from "../discovery/agent-files.js";
import type { PackageIndex } from "../resolve/packages.js";
import { specifierFrom } from "../resolve/identity.js";
import { EFFECT } from "./step-plugin.js";

/** What `server.mjs` exports as `eve`; the runtime validates it with a schema of the same shape. */
export interface ServerModule {
  eve: ServerAgent & { version: 1 };
}

/** Definitions of one agent, as its modules export them (`default`). Keys are path-derived names. */
export interface ServerAgent {
  /** Default export of `agent.ts`; `null` without one. */
  agent: unknown;
  /** Text of `instructions.md`, or the default export of `instructions.ts`; `null` without either. */
  instructions: unknown;
  tools: Record<string, unknown>;
  channels: Record<string, unknown>;
  schedules: Record<string, unknown>;
  subagents: Record<string, ServerAgent>;
}

/**
 * The text of the server entry, in the app root: imports the modules with steps for their registration, and all definition
 * modules, and exports them by name.
 */
export function serverEntry(
  root: string,
  agent: AgentFiles,
  stepModules: readonly string[],
  packages: PackageIndex,
): string {
  const imports = stepModules.map((file) => {
    // A plain import where it will do: esbuild then also applies the tsconfig of the file.
    return `import ${JSON.stringify(packages.declaresNoEffects(file) ? EFFECT + specifierFrom(root, file) : specifierFrom(root, file))};`;
  });
  let count = 0;
  const use = (file: string): string => {
    const name = `definition${count++}`;
    imports.push(`import ${name} from ${JSON.stringify(specifierFrom(root, file))};`);
    return name;
  };
  const table = (modules: readonly NamedModule[]): string =>
    `{ ${modules.map(({ name, file }) => `${JSON.stringify(name)}: ${use(file)}`).join(", ")} }`;
  const record = (files: AgentFiles): string => {
    const subagents = files.subagents.map((sub) => `${JSON.stringify(sub.name)}: { ${record(sub)} }`);
    return [
      `agent: ${files.definition === undefined ? "null" : use(files.definition)}`,
      `instructions: ${instructions(files, use)}`,
      `tools: ${table(files.tools)}`,
      `channels: ${table(files.channels)}`,
      `schedules: ${table(files.schedules)}`,
      `subagents: { ${subagents.join(", ")} }`,
    ].join(",\n  ");
  };
  const exported = `export const eve = {\n  version: 1,\n  ${record(agent)},\n};\n`;
  return `${imports.join("\n")}\n${exported}`;
}

function instructions({ instructions: source }: AgentFiles, use: (file: string) => string): string {
  if (source === undefined) return "null";
  if (source.kind === "module") return use(source.file);
  return JSON.stringify(readFileSync(source.file, "utf8").replace(/^\uFEFF/, ""));
}
