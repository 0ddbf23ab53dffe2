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
}

/** The verdict on one function, or on the code outside of all functions. */
export interface Verdict {
  owner: FunctionNode | undefined;
  /** The directive that is compiled, when there is exactly one and it is valid. */
  accepted?: { kind: DirectiveKind; candidate: Candidate };
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
  return [...groups].map(([owner, group]) => judgeGroup(owner, group, context));
}

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
  const carries =
    owner !== undefined &&
    (isTopLevelDeclaration(owner, surroundings) || context.entryPoint(owner) !== undefined);
  if (carries) return form === "statement" ? directiveLate(kind) : undefined;
  const plain = owner && kind === "workflow" ? context.plainOwner(owner) : undefined;
  if (plain !== undefined) return workflowOutsideTool(plain);
  return directiveMisplaced(kind, misplacementOf(owner, surroundings, owner ? context.captures(owner) : []));
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
