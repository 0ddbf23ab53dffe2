export type { AgentFiles, Discovery, NamedModule, NameProblem } from "./agent-files.js";
export { allAgents, discover } from "./discover.js";
export { findRoot, layoutOf, workspaceMembers, type Layout } from "./find-root.js";
