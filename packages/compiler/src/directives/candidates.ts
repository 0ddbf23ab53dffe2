import { isFunction, startOf, endOf, unwrap, type FunctionNode, type Node } from "../parse/nodes.js";
import { skipTrivia } from "../parse/scan.js";
import { readSpelling, type DirectiveKind } from "./spelling.js";

/** How a string that may be meant as a directive stands in its statement. */
export type CandidateForm =
  /** A directive in the grammar's sense: in the prologue of a function or of the module. */
  | "directive"
  /** A statement that is only the string, but not in a prologue. */
  | "statement"
  | "parenthesised"
  | "template"
  /** The beginning of a longer expression, at the start of a body or with a line break behind it. */
  | "expression";

/** A string statement that is a directive or close to one. */
export interface Candidate {
  kind: DirectiveKind;
  exact: boolean;
  /** Not exact only because of escapes. */
  escaped: boolean;
  form: CandidateForm;
  /** The string itself (without its semicolon). */
  start: number;
  end: number;
  /** The whole statement. */
  statementStart: number;
  statementEnd: number;
  /** Text as written, quotes included. */
  written: string;
  /** Directive that stands before it in the same prologue, as written. */
  behind: string | undefined;
  /** The function it belongs to; `undefined` outside of all functions. */
  owner: FunctionNode | undefined;
  /** Ancestors of the owner (or of the statement without one), nearest last. */
  surroundings: Node[];
}

/**
 * Reads a node as a candidate: a directive, or an expression statement that is a string and close to one. Strings in
 * any other position are data and never looked at.
 */
export function readCandidate(node: Node, ancestors: readonly Node[], source: string): Candidate | undefined {
  if (node.type === "Directive") {
    const { value } = node;
    const raw = source.slice(startOf(value) + 1, endOf(value) - 1);
    return candidate(node, value, raw, "directive", ancestors, source);
  }
  if (node.type !== "ExpressionStatement") return undefined;
  const inner = unwrap(node.expression);
  const raw = stringText(inner, source);
  if (raw !== undefined) {
    const form =
      inner.type === "TemplateLiteral"
        ? "template"
        : isBare(node.expression, inner)
          ? "statement"
          : "parenthesised";
    return candidate(node, inner, raw, form, ancestors, source);
  }
  const first = leftmost(inner);
  const text = first === inner ? undefined : stringText(first, source);
  if (text === undefined || (!opensBody(node, ancestors) && !endsItsLine(first, source))) return undefined;
  return candidate(node, first, text, "expression", ancestors, source);
}

function candidate(
  statement: Node,
  text: Node,
  raw: string,
  form: CandidateForm,
  ancestors: readonly Node[],
  source: string,
): Candidate | undefined {
  const spelling = readSpelling(raw);
  if (spelling === undefined) return undefined;
  const at = ownerIndex(ancestors);
  const owner = at < 0 ? undefined : (ancestors[at] as FunctionNode);
  return {
    kind: spelling.kind,
    exact: spelling.exact,
    escaped: !spelling.exact && raw.includes("\\"),
    form,
    start: startOf(text),
    end: endOf(text),
    statementStart: startOf(statement),
    statementEnd: endOf(statement),
    written: source.slice(startOf(text), endOf(text)),
    behind: form === "directive" ? directiveBefore(statement, ancestors, source) : undefined,
    owner,
    surroundings: ancestors.slice(0, at < 0 ? ancestors.length : at),
  };
}

function stringText(node: Node, source: string): string | undefined {
  const plainTemplate = node.type === "TemplateLiteral" && node.expressions.length === 0;
  if (node.type !== "StringLiteral" && !plainTemplate) return undefined;
  return source.slice(startOf(node) + 1, endOf(node) - 1);
}

function isBare(expression: Node, inner: Node): boolean {
  return expression === inner && inner.extra?.["parenthesized"] !== true;
}

/** Index of the function whose body the node stands in; -1 outside of functions and in class static blocks. */
function ownerIndex(ancestors: readonly Node[]): number {
  for (let index = ancestors.length - 1; index >= 0; index--) {
    const node = ancestors[index] as Node;
    if (isFunction(node)) return index;
    if (node.type === "StaticBlock" || node.type === "TSModuleBlock") return -1;
  }
  return -1;
}

/** The text of the directive before this one, which makes it not the first statement. */
function directiveBefore(statement: Node, ancestors: readonly Node[], source: string): string | undefined {
  const body = ancestors[ancestors.length - 1];
  if (body?.type !== "BlockStatement" && body?.type !== "Program") return undefined;
  const index = body.directives.findIndex((directive) => directive === statement);
  const before = index > 0 ? body.directives[index - 1] : undefined;
  return before && source.slice(startOf(before.value), endOf(before.value));
}

/** Whether a statement is the first one of a function body or of the module. */
function opensBody(statement: Node, ancestors: readonly Node[]): boolean {
  const body = ancestors[ancestors.length - 1];
  const holder = ancestors[ancestors.length - 2];
  if (body?.type === "Program") return body.body[0] === statement;
  return (
    body?.type === "BlockStatement" &&
    holder !== undefined &&
    isFunction(holder) &&
    body.body[0] === statement
  );
}

/** Whether a line break follows: the author meant a statement, and the next line has swallowed it. */
function endsItsLine(text: Node, source: string): boolean {
  return /[\n\r\u2028\u2029]/.test(source.slice(endOf(text), skipTrivia(source, endOf(text))));
}

/** The expression that a statement's text begins with: `"use step"` in `"use step"[0].toString()`. */
function leftmost(expression: Node): Node {
  let node = expression;
  for (;;) {
    const next = leftOf(node);
    // What stands in parentheses was written as one piece: the line break isn't what joined it.
    if (next === undefined || next.extra?.["parenthesized"] === true) return node;
    node = next;
  }
}

function leftOf(node: Node): Node | undefined {
  switch (node.type) {
    case "MemberExpression":
    case "OptionalMemberExpression":
      return node.object;
    case "CallExpression":
    case "OptionalCallExpression":
      return node.callee;
    case "TaggedTemplateExpression":
      return node.tag;
    case "BinaryExpression":
    case "LogicalExpression":
    case "AssignmentExpression":
      return node.left;
    case "ConditionalExpression":
      return node.test;
    case "SequenceExpression":
      return node.expressions[0];
    case "UpdateExpression":
      return node.prefix ? undefined : node.argument;
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSInstantiationExpression":
      return node.expression;
    default:
      return undefined;
  }
}
