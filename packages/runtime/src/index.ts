export { folderBuilds, type FolderBuildsOptions } from "./builds/folder.js";
export type { Manifest } from "./builds/schema.js";
export type { ServerExports, ServerModule, StepFunction } from "./builds/server-module.js";
export type { Build, Builds } from "./builds/types.js";
export { systemClock, type Clock, type Timer } from "./clock/clock.js";
export type { CancelOptions } from "./engine/cancel.js";
export { createEngine, type Engine, type RunHandle } from "./engine/engine.js";
export {
  DEFAULT_LIMITS,
  type ConsoleLine,
  type EngineLimits,
  type EngineOptions,
  type ErrorReport,
  type FaultPoint,
  type Problem,
  type RunningStep,
  type RunEnd,
  type RunResult,
  type StartRun,
  type StepAuthorization,
  type ToolCall,
  type WebhookBase,
} from "./engine/options.js";
export { readAnswer, type Answer, type OpenQuestion, type QuestionRequest } from "./engine/questions.js";
export { describeError, RuntimeError } from "./errors/base.js";
export * from "./errors/builds.js";
export * from "./errors/engine.js";
export * from "./errors/replay.js";
export * from "./errors/server.js";
export * from "./errors/steps.js";
export * from "./errors/store.js";
export { exportRun, importRun, parseExportedRun, type ExportedRun } from "./inspect/export.js";
export { listRuns } from "./inspect/list.js";
export { replayEntries, replayRun, type ReplayReport } from "./inspect/replay.js";
export { showRun, type ShowOptions } from "./inspect/show.js";
export type * from "./inspect/types.js";
export type { RunEvent, TransientEvent } from "./log/events.js";
export type { LogEntry, LogEvent, RunStatus } from "./log/types.js";
export { createServer, type EngineServer, type ServerOptions } from "./server/server.js";
export { isFolderLocked, readLockHolder, type FolderLock } from "./store/sqlite/lock.js";
export { openSqliteStore, type OpenedSqlite, type OpenSqliteOptions } from "./store/sqlite/open.js";
export type * from "./store/types.js";
export { describeAnswers, takesText } from "./questions/describe.js";
export { approvalFor, approvalResponse, type ApprovalRequirement } from "./tools/approval.js";
export { validate, type Issue, type Validated } from "./tools/validate.js";
