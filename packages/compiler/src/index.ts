export {
  build,
  check,
  checkIds,
  CompilerError,
  lockIds,
  type BaselineOptions,
  type BuildOptions,
  type BuildResult,
  type CheckOptions,
  type CheckResult,
  type CompilerErrorCode,
  type IdsResult,
} from "./build/index.js";
export type { ServerAgent, ServerModule } from "./bundle/server-entry.js";
export { discover, findRoot, workspaceMembers, type AgentFiles, type Discovery } from "./discovery/index.js";
export type {
  Manifest,
  ManifestAgent,
  ManifestFunction,
  ManifestTool,
  ManifestWorkflow,
} from "./manifest/index.js";
export type { BuildInfo } from "./publish/index.js";
export {
  formatCount,
  formatGithub,
  formatJson,
  formatPretty,
  formatSarif,
  summarise,
  type JsonReport,
  type PrettyOptions,
  type ReportOptions,
  type SarifOptions,
  type Summary,
} from "./reporters/index.js";
export { renderRules, RULES, ruleByCode, type Rule } from "./rules/index.js";
export { watch, type WatchEvent, type Watcher } from "./watch/index.js";
export type { Diagnostic, DiagnosticNote, Place, Severity } from "./types.js";
