import type { Verdict } from "../directives/judge.js";
import { rangeOf, type FunctionNode } from "../parse/nodes.js";
import { missingDirective, serveGenerator, stepOnEntryPoint } from "../rules/index.js";
import type { EntryProperty, Located } from "./definition.js";

/**
 * Judges the functions behind a tool's entry points: each must be a workflow. A function whose directive already has
 * a finding gets no second one for lacking a valid directive.
 */
export function judgeEntryPoints(entries: readonly EntryProperty[], verdicts: readonly Verdict[]): Located[] {
  const byOwner = new Map(verdicts.map((verdict) => [verdict.owner, verdict]));
  const found: Located[] = [];
  for (const { name, property, target } of entries) {
    if (target.kind === "unreadable" || target.kind === "imported") continue;
    const verdict = byOwner.get(target.fn);
    const carried = verdict?.accepted ?? verdict?.assumed;
    if (carried === undefined) {
      if (verdict !== undefined && verdict.findings.length > 0) continue;
      const finding = missingDirective(name, target.kind === "inline" ? undefined : target.name);
      found.push({ range: target.kind === "inline" ? rangeOf(property.key) : nameOf(target.fn), finding });
    } else if (carried.kind === "step") {
      found.push({ range: carried.candidate, finding: stepOnEntryPoint(name) });
    } else if (name === "serve" && target.kind !== "inline" && target.fn.generator) {
      found.push({ range: nameOf(target.fn), finding: serveGenerator(target.name) });
    }
  }
  return found;
}

function nameOf(fn: FunctionNode): { start: number; end: number } {
  return rangeOf("id" in fn && fn.id ? fn.id : fn);
}
