import type { Layout } from "./find-root.js";

/** A module that defines something under a name taken from its path. */
export interface NamedModule {
  name: string;
  /** Absolute path. */
  file: string;
}

/** The files of one agent: the root agent or a subagent. Lists are sorted by name. */
export interface AgentFiles {
  /** `""` for the root agent. */
  name: string;
  /** Absolute path of the folder that holds its files. */
  dir: string;
  /** `agent.ts`. */
  definition?: string;
  /** `instructions.md` (text) or `instructions.ts` (its default export). */
  instructions?: { file: string; kind: "text" | "module" };
  tools: NamedModule[];
  channels: NamedModule[];
  schedules: NamedModule[];
  subagents: AgentFiles[];
}

/** What lies in an application root. */
export interface Discovery {
  /** Absolute real path. */
  root: string;
  layout: Layout;
  agent: AgentFiles;
  problems: NameProblem[];
}

/** Why the name that a path gives can't be used. `file` and `other` are absolute. */
export interface NameProblem {
  kind: "illegal" | "reserved" | "taken";
  /** `tool`, `channel`, `schedule` or `subagent`. */
  what: string;
  name: string;
  file: string;
  other?: string;
}
