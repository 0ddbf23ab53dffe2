import type { MagicString } from "magic-string";
import { isReassigned } from "../analysis/reassigned.js";
import { positionAt } from "../parse/lines.js";
import { skipToken, skipTrivia } from "../parse/scan.js";
import type { BindingUse, ModuleAnalysis, Slice } from "../types.js";

/** What lets a body's calls of steps carry their place: to take it from a stack is the dearest part of a step. */
export interface CallSites {
  /** The module's canonical name. */
  file: string;
  /** Whether an imported name (`member`: of a namespace) is a step. */
  isImportedStep(local: string, member?: string): boolean;
}

/**
 * Hands the author's place to each plain call of a step that the slice keeps, as the step's `this`:
 *
 *     await plan(name)                       // in line 12 of agent/tools/deploy.ts
 *     await plan.call("@agent/tools/deploy.ts:12:9", name)
 *
 * Other ways to call a step (`plan?.(…)`, a step in a variable, `names.map(plan)`) stay as they are: the runtime takes
 * their places from the stack.
 */
export function markCalls(
  out: MagicString,
  text: string,
  analysis: ModuleAnalysis,
  slice: Slice,
  { file, isImportedStep }: CallSites,
): void {
  // In a sloppy script a function of a block is one of the whole function, too.
  if (analysis.format === "commonjs") return;
  const own = ownSteps(analysis);
  for (const index of slice.units) {
    const unit = analysis.units[index];
    if (unit === undefined || unit.directives.some((at) => analysis.directives[at]?.kind === "step"))
      continue;
    for (const use of unit.uses) {
      const call = plainCall(text, use);
      if (call === undefined) continue;
      const { member } = call;
      if (!(member === undefined && own.has(use.name)) && !isImportedStep(use.name, member)) continue;
      const { line, column } = positionAt(analysis.lines, call.at);
      const isBare = skipToken(text, call.open, ")") !== undefined;
      out.appendLeft(call.end, ".call");
      out.appendLeft(call.open, JSON.stringify(`@${file}:${line}:${column}`) + (isBare ? "" : ", "));
    }
  }
}

/** Local names that are steps of this module, whatever the module does. */
function ownSteps(analysis: ModuleAnalysis): Set<string> {
  const names = analysis.directives.flatMap(({ kind, local }) => (kind === "step" && local ? [local] : []));
  return new Set(names.filter((name) => !isReassigned(analysis, name)));
}

/** `name(…)` or `name.member(…)`: where V8 sees the call, the end of the callee and what follows the parenthesis. */
function plainCall(
  text: string,
  use: BindingUse,
): { at: number; end: number; open: number; member?: string } | undefined {
  const [member, ...deeper] = use.path;
  if (deeper.length > 0 || (member === undefined) !== use.called) return undefined;
  let { start: at, end } = use;
  if (member !== undefined) {
    const dot = skipToken(text, end, ".");
    at = dot === undefined ? -1 : skipTrivia(text, dot);
    if (at === -1 || !text.startsWith(member, at)) return undefined;
    end = at + member.length;
  }
  const open = skipToken(text, end, "(");
  return open === undefined ? undefined : { at, end, open, ...(member === undefined ? {} : { member }) };
}
