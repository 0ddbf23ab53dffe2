import { syntaxErrorRule } from "./eve1000-syntax-error.js";
import { missingDirectiveRule } from "./eve1001-missing-directive.js";
import { misspeltDirectiveRule } from "./eve1002-misspelt-directive.js";
import { directiveNotFirstRule } from "./eve1003-directive-not-first.js";
import { directiveMisplacedRule } from "./eve1004-directive-misplaced.js";
import { bothDirectivesRule } from "./eve1005-both-directives.js";
import { notAsyncRule } from "./eve1006-not-async.js";
import { stepOnEntryPointRule } from "./eve1007-step-on-entry-point.js";
import { workflowOutsideToolRule } from "./eve1008-workflow-outside-tool.js";
import { entryPointsRule } from "./eve1009-entry-points.js";
import { unreadableToolRule } from "./eve1010-unreadable-tool.js";
import { removedApiRule } from "./eve1011-removed-api.js";
import { unliftableBodyRule } from "./eve1012-unliftable-body.js";
import { duplicateIdRule } from "./eve1101-duplicate-id.js";
import { taskIdTakenRule } from "./eve1102-task-id-taken.js";
import { toolNameRule } from "./eve1103-tool-name.js";
import { idDriftRule } from "./eve1104-id-drift.js";
import { foreignCharactersRule } from "./eve1105-foreign-characters.js";
import { unresolvedImportRule } from "./eve1201-unresolved-import.js";
import { externalDirectivesRule } from "./eve1202-external-directives.js";
import { unsupportedImportRule } from "./eve1203-unsupported-import.js";
import { bundlerWarningRule } from "./eve1204-bundler-warning.js";
import { builtinInBodyRule } from "./eve2001-builtin-in-body.js";
import { hostGlobalRule } from "./eve2002-host-global-in-body.js";
import { timerOrFetchRule } from "./eve2003-timer-or-fetch-in-body.js";
import { runtimeApiRule } from "./eve2004-runtime-api-in-body.js";
import { nondeterminismRule } from "./eve2005-nondeterminism-in-body.js";
import { floatingStepRule } from "./eve2006-floating-step.js";
import { sharedStateRule } from "./eve2007-shared-state.js";
import { notSerialisableRule } from "./eve2008-not-serialisable.js";
import { directiveNotCompiledRule } from "./eve3001-directive-not-compiled.js";
import { suppressionRule } from "./eve3002-suppression.js";
import type { Rule } from "./rule.js";

/** Every rule, in the order of its code. Documentation, SARIF and suppressions are generated from this list. */
export const RULES: readonly Rule[] = [
  syntaxErrorRule,
  missingDirectiveRule,
  misspeltDirectiveRule,
  directiveNotFirstRule,
  directiveMisplacedRule,
  bothDirectivesRule,
  notAsyncRule,
  stepOnEntryPointRule,
  workflowOutsideToolRule,
  entryPointsRule,
  unreadableToolRule,
  removedApiRule,
  unliftableBodyRule,
  duplicateIdRule,
  taskIdTakenRule,
  toolNameRule,
  idDriftRule,
  foreignCharactersRule,
  unresolvedImportRule,
  externalDirectivesRule,
  unsupportedImportRule,
  bundlerWarningRule,
  builtinInBodyRule,
  hostGlobalRule,
  timerOrFetchRule,
  runtimeApiRule,
  nondeterminismRule,
  floatingStepRule,
  sharedStateRule,
  notSerialisableRule,
  directiveNotCompiledRule,
  suppressionRule,
];

const byCode = new Map(RULES.map((rule) => [rule.code, rule]));

/** The rule of a code, or `undefined` for an unknown one. */
export function ruleByCode(code: string): Rule | undefined {
  return byCode.get(code);
}
