import { isFunction, rangeOf, unwrap, type Node } from "../parse/nodes.js";
import type { ValueShape } from "../types.js";

/** How deep literals are searched for values that can't be serialised. */
const DEPTH = 4;

/** Values among expressions (and in the literals they are) that may not be serialisable. */
export function valueShapes(expressions: readonly Node[]): ValueShape[] {
  const found: ValueShape[] = [];
  for (const expression of expressions) collect(expression, found, DEPTH);
  return found;
}

function collect(expression: Node, found: ValueShape[], depth: number): void {
  if (depth === 0) return;
  const node = unwrap(expression);
  switch (node.type) {
    case "ArrowFunctionExpression":
    case "FunctionExpression":
      found.push({ kind: "function", ...rangeOf(node) });
      return;
    case "Identifier":
      found.push({ kind: "name", name: node.name, ...rangeOf(node) });
      return;
    case "NewExpression":
      if (node.callee.type === "Identifier")
        found.push({ kind: "new", name: node.callee.name, ...rangeOf(node) });
      return;
    case "CallExpression":
      if (isSymbolCall(node.callee)) found.push({ kind: "symbol", ...rangeOf(node) });
      return;
    case "ArrayExpression":
      for (const element of node.elements) if (element) collect(element, found, depth - 1);
      return;
    case "ObjectExpression":
      for (const property of node.properties) {
        if (property.type === "ObjectMethod") found.push({ kind: "function", ...rangeOf(property) });
        else if (property.type === "ObjectProperty") collect(property.value, found, depth - 1);
      }
      return;
    default:
      return;
  }
}

function isSymbolCall(callee: Node): boolean {
  if (callee.type === "Identifier") return callee.name === "Symbol";
  return (
    callee.type === "MemberExpression" &&
    callee.object.type === "Identifier" &&
    callee.object.name === "Symbol"
  );
}

/** Values that a function returns itself (not the functions in it) and that may not be serialisable. */
export function returnedShapes(body: Node): ValueShape[] {
  const returned: Node[] = [];
  search(body, returned);
  return valueShapes(returned);
}

function search(value: unknown, returned: Node[]): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) search(item, returned);
    return;
  }
  const node = value as Node;
  if (typeof node.type !== "string" || isFunction(node) || node.type === "ClassBody") return;
  if (node.type === "ReturnStatement") {
    if (node.argument) returned.push(node.argument);
    return;
  }
  if (!STATEMENTS.test(node.type)) return;
  for (const [key, child] of Object.entries(node)) if (key !== "loc") search(child, returned);
}

/** Returns stand in statements only. */
const STATEMENTS = /Statement$|^SwitchCase$|^CatchClause$/;
