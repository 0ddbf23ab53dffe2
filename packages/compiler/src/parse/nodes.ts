import type * as t from "@babel/types";
import { VISITOR_KEYS } from "./visitor-keys.js";

/** Any node of the tree. The types come from Babel, the code doesn't: loading `@babel/types` costs more than a build. */
export type Node = t.Node;

/** A node seen as a bag of properties, for generic walks. */
export type Bag = Record<string, unknown>;

export function isNode(value: unknown): value is Node {
  return (
    typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string"
  );
}

export function startOf(node: Node): number {
  return node.start ?? 0;
}

export function endOf(node: Node): number {
  return node.end ?? 0;
}

export function rangeOf(node: { start?: number | null; end?: number | null }): {
  start: number;
  end: number;
} {
  return { start: node.start ?? 0, end: node.end ?? 0 };
}

export type FunctionNode =
  | t.FunctionDeclaration
  | t.FunctionExpression
  | t.ArrowFunctionExpression
  | t.ObjectMethod
  | t.ClassMethod
  | t.ClassPrivateMethod;

const FUNCTIONS = new Set<string>([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ObjectMethod",
  "ClassMethod",
  "ClassPrivateMethod",
]);

export function isFunction(node: Node): node is FunctionNode {
  return FUNCTIONS.has(node.type);
}

/** Looks through what leaves the value of an expression as it is: casts, `!`, `satisfies`, parentheses. */
export function unwrap(node: Node): Node {
  let current = node;
  while (isTransparent(current)) current = current.expression;
  return current;
}

export type TransparentNode =
  | t.TSAsExpression
  | t.TSSatisfiesExpression
  | t.TSNonNullExpression
  | t.TSTypeAssertion
  | t.TSInstantiationExpression
  | t.ParenthesizedExpression;

export function isTransparent(node: Node): node is TransparentNode {
  switch (node.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSNonNullExpression":
    case "TSTypeAssertion":
    case "TSInstantiationExpression":
    case "ParenthesizedExpression":
      return true;
    default:
      return false;
  }
}

/** `export const a = 1` → `const a = 1`. */
export function declarationOf(statement: Node): Node {
  if (statement.type === "ExportNamedDeclaration") return statement.declaration ?? statement;
  if (statement.type === "ExportDefaultDeclaration") return statement.declaration;
  return statement;
}

/** The constant name of a property key or member, or `undefined` when it is computed at run time. */
export function staticKey(key: Node, computed: boolean): string | undefined {
  if (!computed && key.type === "Identifier") return key.name;
  const inner = unwrap(key);
  if (inner.type === "StringLiteral") return inner.value;
  if (inner.type === "NumericLiteral") return String(inner.value);
  if (inner.type === "TemplateLiteral" && inner.expressions.length === 0) {
    return inner.quasis[0]?.value.cooked ?? undefined;
  }
  if (inner.type === "PrivateName") return `#${inner.id.name}`;
  return undefined;
}

/** The text of a module name: `Identifier` or string in `export { x as "a-b" }`. */
export function moduleExportName(node: Node): string {
  if (node.type === "Identifier") return node.name;
  if (node.type === "StringLiteral") return node.value;
  throw new TypeError(`a ${node.type} is no module export name`);
}

/** Property names that hold no children worth visiting. */
const SKIPPED = new Set([
  "type",
  "loc",
  "range",
  "extra",
  "leadingComments",
  "trailingComments",
  "innerComments",
  "errors",
]);

/** Names of the properties of a node that may hold child nodes, in source order where the type is a known one. */
export function childKeys(node: Node): readonly string[] {
  return VISITOR_KEYS[node.type] ?? Object.keys(node).filter((key) => !SKIPPED.has(key));
}
