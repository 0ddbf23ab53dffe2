import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { CompilerError, shownPath } from "../build/compiler-error.js";
import type { AgentFiles, Discovery, NamedModule, NameProblem } from "./agent-files.js";
import { findModule, isFolder, isSearchedFolder, listFolder, listModules } from "./files.js";
import { layoutOf } from "./find-root.js";
import { faultOfName, nameOfPath } from "./names.js";

/**
 * Lists the files of the agent in `root` and of its subagents. Reads folders only, never a file's text.
 * Names that can't be used are in `problems`; the modules are listed all the same, so that their own
 * findings are reported in the same run.
 * @throws CompilerError `NO_APP_ROOT` when `root` holds no agent.
 */
export function discover(root: string): Discovery {
  if (!isFolder(root)) {
    throw new CompilerError("NO_APP_ROOT", `There is no folder ${shownPath(root)}.`, {
      help: "Name the folder of an application, the one that holds agent/.",
    });
  }
  const real = realpathSync(root);
  const layout = layoutOf(real);
  if (layout === undefined) {
    throw new CompilerError(
      "NO_APP_ROOT",
      `No agent in ${shownPath(real)}: it holds neither "agent/" nor "agent.ts".`,
      {
        help: 'Create agent/tools/<name>.ts, which exports a tool (defineWorkflowTool of "eve/tools").',
      },
    );
  }
  const problems: NameProblem[] = [];
  const dir = layout === "nested" ? path.join(real, "agent") : real;
  return { root: real, layout, agent: agentFiles(dir, "", problems), problems };
}

function agentFiles(dir: string, name: string, problems: NameProblem[]): AgentFiles {
  const definition = findModule(dir, "agent");
  const instructions = instructionsOf(dir);
  const named = (folder: string, what: string): NamedModule[] =>
    namedModules(path.join(dir, folder), what, problems);
  const tools = named("tools", "tool");
  return {
    name,
    dir,
    ...(definition === undefined ? {} : { definition }),
    ...(instructions === undefined ? {} : { instructions }),
    tools,
    channels: named("channels", "channel"),
    schedules: named("schedules", "schedule"),
    subagents: subagents(path.join(dir, "subagents"), problems),
  };
}

function instructionsOf(dir: string): AgentFiles["instructions"] {
  const text = path.join(dir, "instructions.md");
  if (existsSync(text)) return { file: text, kind: "text" };
  const file = findModule(dir, "instructions");
  return file === undefined ? undefined : { file, kind: "module" };
}

function subagents(dir: string, problems: NameProblem[]): AgentFiles[] {
  const found: AgentFiles[] = [];
  for (const { name, folder } of listFolder(dir)) {
    if (!folder || !isSearchedFolder(name)) continue;
    const files = agentFiles(path.join(dir, name), name, problems);
    const fault = name === "agent" ? "reserved" : faultOfName(name);
    if (fault !== undefined) {
      problems.push({ kind: fault, what: "subagent", name, file: files.definition ?? files.dir });
    }
    found.push(files);
  }
  return found;
}

function namedModules(dir: string, what: string, problems: NameProblem[]): NamedModule[] {
  const found = new Map<string, NamedModule>();
  for (const relative of listModules(dir)) {
    const module = { name: nameOfPath(relative), file: path.join(dir, relative) };
    const taken = found.get(module.name);
    const fault = faultOfName(module.name);
    if (fault !== undefined) problems.push({ kind: fault, what, ...module });
    if (taken !== undefined) problems.push({ kind: "taken", what, ...module, other: taken.file });
    else found.set(module.name, module);
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}

/** The agent and all agents below it, depth first. */
export function allAgents(agent: AgentFiles): AgentFiles[] {
  return [agent, ...agent.subagents.flatMap(allAgents)];
}
