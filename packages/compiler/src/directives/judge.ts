import { endOf, startOf, type FunctionNode, type Node } from "../parse/nodes.js";
import {
  bothDirectives,
  directiveBehindAnother,
  directiveInExpression,
  directiveLate,
  directiveMisplaced,
  directiveTwice,
  misspeltDirective,
  notAsync,
  serveGenerator,
  stepGenerator,
  stepOnEntryPoint,
  workflowOutsideTool,
  type Finding,
} from "../rules/index.js";
import { stepOnEntryPointRule } from "../rules/eve1007-step-on-entry-point.js";
import { workflowOutsideToolRule } from "../rules/eve1008-workflow-outside-tool.js";
import type { EntryPointName, Range } from "../types.js";
import type { Candidate } from "./candidates.js";
import { isTopLevelDeclaration, misplacementOf } from "./placement.js";
import type { DirectiveKind } from "./spelling.js";

/** What a judge must know of the module around a candidate. */
export interface JudgeContext {
  /** The entry point that a function is, if it is one. */
  entryPoint(fn: FunctionNode): EntryPointName | undefined;
  /** Factory of the definition (not of a workflow tool) that the function belongs to. */
  plainOwner(fn: FunctionNode): string | undefined;
  /** Names of surrounding functions that the function uses. */
  captures(fn: FunctionNode): string[];
  /** Whether a call defines a workflow tool that isn't the module's default export. */
  isStray(call: Node): boolean;
}

/** A directive and the string that it stands in. */
export interface Carried {
  kind: DirectiveKind;
  candidate: Candidate;
}

/** The verdict on one function, or on the code outside of all functions. */
export interface Verdict {
  owner: FunctionNode | undefined;
  /** The directive that is compiled, when there is exactly one and it is valid. */
  accepted?: Carried;
  /**
   * The directive that the author means, where none is accepted and it can be told: the function is compiled by it for
   * the sake of further checks. The findings say what is wrong with it.
   */
  assumed?: Carried;
  findings: { range: Range; finding: Finding }[];
}

/** Judges all candidates of a module; each is accepted or gets a finding at its own place. */
export function judgeCandidates(candidates: readonly Candidate[], context: JudgeContext): Verdict[] {
  const groups = new Map<FunctionNode | undefined, Candidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.owner);
    if (group) group.push(candidate);
    else groups.set(candidate.owner, [candidate]);
  }
  return [...groups].map(([owner, group]) => {
    const verdict = judgeGroup(owner, group, context);
    return verdict.accepted !== undefined || owner === undefined
      ? verdict
      : assume(verdict, owner, group, context);
  });
}

/**
 * Adds what the author means by directives with faults, if their function could carry them, and the faults that it
 * would still have with the directive put right.
 */
function assume(
  verdict: Verdict,
  owner: FunctionNode,
  group: readonly Candidate[],
  context: JudgeContext,
): Verdict {
  const [first] = group;
  if (first === undefined || !mayCarry(owner, first.surroundings, context)) return verdict;
  const step = group.find(({ kind }) => kind === "step");
  const workflow = group.find(({ kind }) => kind === "workflow");
  // With both, the one that is right for the place, or that says less about the body.
  const candidate = context.entryPoint(owner) === undefined ? (step ?? workflow) : (workflow ?? step);
  if (candidate === undefined) return verdict;
  const finding = judgeFunction(owner, candidate, context);
  const findings = [...verdict.findings];
  const isNew =
    finding !== undefined && !findings.some((other) => other.finding.rule === finding.finding.rule);
  if (isNew) findings.push(finding);
  const isOfPlace = finding !== undefined && UNFIT.has(finding.finding.rule.code);
  return { ...verdict, findings, ...(isOfPlace ? {} : { assumed: { kind: candidate.kind, candidate } }) };
}

/** Rules that say that a function can't be what its directive says. */
const UNFIT: ReadonlySet<string> = new Set([stepOnEntryPointRule.code, workflowOutsideToolRule.code]);

function judgeGroup(owner: FunctionNode | undefined, group: Candidate[], context: JudgeContext): Verdict {
  const verdict: Verdict = { owner, findings: [] };
  const carried: Candidate[] = [];
  for (const candidate of group.sort((a, b) => a.start - b.start)) {
    const finding = judgeWriting(candidate) ?? judgePlace(candidate, context);
    if (finding) verdict.findings.push({ range: candidate, finding });
    else carried.push(candidate);
  }
  const [first, ...others] = carried;
  if (first === undefined || owner === undefined) return verdict;

  const other = others.find((candidate) => candidate.kind !== first.kind);
  if (other) {
    verdict.findings.push({ range: other, finding: bothDirectives() });
    return verdict;
  }
  for (const again of others) verdict.findings.push({ range: again, finding: directiveTwice(again.kind) });
  if (others.length > 0) return verdict;
  if (first.behind !== undefined) {
    verdict.findings.push({ range: first, finding: directiveBehindAnother(first.kind, first.behind) });
    return verdict;
  }
  const finding = judgeFunction(owner, first, context);
  if (finding) verdict.findings.push(finding);
  else verdict.accepted = { kind: first.kind, candidate: first };
  return verdict;
}

/** Faults of the string itself. */
function judgeWriting(candidate: Candidate): Finding | undefined {
  const { kind, exact, form, written } = candidate;
  if (!exact) return misspeltDirective(kind, candidate.escaped ? "escaped" : "misspelt", written);
  if (form === "parenthesised" || form === "template") return misspeltDirective(kind, form, written);
  return undefined;
}

/** Faults of the place it stands in. */
function judgePlace(candidate: Candidate, context: JudgeContext): Finding | undefined {
  const { kind, form, owner, surroundings } = candidate;
  if (form === "expression") return directiveInExpression(kind);
  const carries = owner !== undefined && mayCarry(owner, surroundings, context);
  if (carries) return form === "statement" ? directiveLate(kind) : undefined;
  const plain = owner && kind === "workflow" ? context.plainOwner(owner) : undefined;
  if (plain !== undefined) return workflowOutsideTool(plain);
  const isStray = (call: Node): boolean => kind === "workflow" && context.isStray(call);
  const captures = owner ? context.captures(owner) : [];
  return directiveMisplaced(kind, misplacementOf(owner, surroundings, captures, isStray));
}

/** Whether a function stands where a directive may stand. */
function mayCarry(owner: FunctionNode, surroundings: readonly Node[], context: JudgeContext): boolean {
  return isTopLevelDeclaration(owner, surroundings) || context.entryPoint(owner) !== undefined;
}

/** Faults of the function that carries it. */
function judgeFunction(
  fn: FunctionNode,
  candidate: Candidate,
  context: JudgeContext,
): { range: Range; finding: Finding } | undefined {
  const { kind } = candidate;
  const entry = context.entryPoint(fn);
  const name = entry ?? ("id" in fn ? fn.id?.name : undefined);
  if (entry !== undefined && kind === "step") return { range: candidate, finding: stepOnEntryPoint(entry) };
  if (entry === undefined && kind === "workflow") {
    const owner = context.plainOwner(fn);
    if (owner !== undefined) return { range: candidate, finding: workflowOutsideTool(owner) };
  }
  if (!fn.async) return { range: candidate, finding: notAsync(kind, name) };
  if (!fn.generator) return undefined;
  if (kind === "step") return { range: candidate, finding: stepGenerator(name) };
  if (entry === "serve") return { range: keyOf(fn) ?? candidate, finding: serveGenerator() };
  return undefined;
}

function keyOf(fn: Node): Range | undefined {
  return fn.type === "ObjectMethod" ? { start: startOf(fn.key), end: endOf(fn.key) } : undefined;
}
