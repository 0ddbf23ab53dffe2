export { syntaxError } from "./eve1000-syntax-error.js";
export { missingDirective } from "./eve1001-missing-directive.js";
export { misspeltDirective, type Malformation } from "./eve1002-misspelt-directive.js";
export {
  directiveLate,
  directiveBehindAnother,
  directiveTwice,
  directiveInExpression,
} from "./eve1003-directive-not-first.js";
export { directiveMisplaced, type Misplacement } from "./eve1004-directive-misplaced.js";
export { bothDirectives } from "./eve1005-both-directives.js";
export { notAsync, stepGenerator, serveGenerator } from "./eve1006-not-async.js";
export { stepOnEntryPoint } from "./eve1007-step-on-entry-point.js";
export { workflowOutsideTool } from "./eve1008-workflow-outside-tool.js";
export { noEntryPoint, severalEntryPoints, executionOption } from "./eve1009-entry-points.js";
export {
  noDefaultExport,
  notATool,
  definitionNotLiteral,
  entryPointNotReadable,
  entryPointBehindSpread,
  inputNotAnObject,
  schemaNotDescribed,
  definitionRefused,
  moduleFails,
} from "./eve1010-unreadable-tool.js";
export { removedEntryPoint, removedExperimentalWorkflow, removedDismissible } from "./eve1011-removed-api.js";
export { usesThis, shadowsGlobalObject } from "./eve1012-unliftable-body.js";
export { duplicateId } from "./eve1101-duplicate-id.js";
export { taskIdTaken } from "./eve1102-task-id-taken.js";
export { illegalToolName, reservedToolName, takenToolName } from "./eve1103-tool-name.js";
export { vanishedId, unlockedId, brokenAlias } from "./eve1104-id-drift.js";
export { foreignCharactersInId } from "./eve1105-foreign-characters.js";
export { unresolvedImport, missingExport } from "./eve1201-unresolved-import.js";
export { externalDirectives, externalElsewhere } from "./eve1202-external-directives.js";
export { dynamicImportInBody, topLevelAwaitInBody, noLoader } from "./eve1203-unsupported-import.js";
export { bundlerWarning } from "./eve1204-bundler-warning.js";
export { builtinInBody } from "./eve2001-builtin-in-body.js";
export { hostGlobal } from "./eve2002-host-global-in-body.js";
export { timerOrFetch } from "./eve2003-timer-or-fetch-in-body.js";
export { runtimeApi } from "./eve2004-runtime-api-in-body.js";
export { nondeterminism } from "./eve2005-nondeterminism-in-body.js";
export { floatingOperation, floatingStep, type Operation } from "./eve2006-floating-step.js";
export { bodyWritesState, stepWritesState, passedAtLoad } from "./eve2007-shared-state.js";
export {
  argumentNotSerialisable,
  classHalfSerialisable,
  classOutOfReach,
  resultNotSerialisable,
  type Unserialisable,
} from "./eve2008-not-serialisable.js";
export { directiveNotCompiled, stepNotRegistered } from "./eve3001-directive-not-compiled.js";
export { suppressionWithoutReason, suppressionUnknown, suppressionUnused } from "./eve3002-suppression.js";
export { makeStep, type NearStep } from "./near-step.js";
export { RULES, ruleByCode } from "./catalogue.js";
export { renderRules } from "./document.js";
export type { Finding, Rule } from "./rule.js";
