import { staticKey, unwrap, type Node } from "../parse/nodes.js";
import { declare, type Scope } from "./scope.js";
import type { Walker } from "./walker.js";

/** Calls `found` for every name that a binding pattern declares. */
export function patternNames(pattern: Node, found: (name: string, node: Node) => void): void {
  switch (pattern.type) {
    case "Identifier":
      found(pattern.name, pattern);
      return;
    case "ObjectPattern":
      for (const property of pattern.properties) {
        patternNames(property.type === "RestElement" ? property.argument : property.value, found);
      }
      return;
    case "ArrayPattern":
      for (const element of pattern.elements) if (element) patternNames(element, found);
      return;
    case "AssignmentPattern":
      patternNames(pattern.left, found);
      return;
    case "RestElement":
      patternNames(pattern.argument, found);
      return;
    case "TSParameterProperty":
      patternNames(pattern.parameter, found);
      return;
    case "VoidPattern":
      return;
    default:
      // A recovered syntax error can leave any expression here; it declares nothing.
      return;
  }
}

/** Declares the names of a pattern, then visits the defaults, computed keys and decorators in it. */
export function walkPattern(walker: Walker, node: Node, into: Scope): void {
  patternNames(node, (name) => declare(into, name));
  walkExpressions(walker, node);
}

function walkExpressions(walker: Walker, node: Node): void {
  if ("decorators" in node) node.decorators?.forEach(walker.visit);
  switch (node.type) {
    case "AssignmentPattern":
      walkExpressions(walker, node.left);
      walker.inside(node, () => walker.visit(node.right));
      return;
    case "ObjectPattern":
      for (const property of node.properties) {
        if (property.type === "RestElement") continue;
        if (property.computed) walker.visit(property.key);
        walkExpressions(walker, property.value);
      }
      return;
    case "ArrayPattern":
      for (const element of node.elements) if (element) walkExpressions(walker, element);
      return;
    case "RestElement":
      walkExpressions(walker, node.argument);
      return;
    case "TSParameterProperty":
      walkExpressions(walker, node.parameter);
      return;
    default:
      return;
  }
}

/** Notes what the names of a constant stand for: `const now = Date.now`, `const { env } = process`. */
export function declareAliases(scope: Scope, id: Node, init: Node): void {
  const chain = memberChain(init);
  if (chain === undefined) return;
  const alias = (name: string, path: string[]): void => {
    const binding = declare(scope, name);
    binding.alias = { root: chain.root, path, scope };
  };
  if (id.type === "Identifier") {
    // `const x = x` can't stand for itself.
    if (id.name !== chain.root) alias(id.name, chain.path);
  } else if (id.type === "ObjectPattern") {
    for (const property of id.properties) {
      if (property.type === "RestElement") continue;
      const key = staticKey(property.key, property.computed);
      const target = property.value.type === "AssignmentPattern" ? property.value.left : property.value;
      if (key !== undefined && target.type === "Identifier") alias(target.name, [...chain.path, key]);
    }
  }
}

/** Notes what a constant was made as: `const user = new User()`, `const double = (n) => n * 2`. */
export function declareConstant(scope: Scope, id: Node, init: Node): void {
  if (id.type !== "Identifier") return;
  const value = unwrap(init);
  if (value.type === "ArrowFunctionExpression" || value.type === "FunctionExpression") {
    declare(scope, id.name).constant = { kind: "function" };
  } else if (value.type === "NewExpression" && value.callee.type === "Identifier") {
    declare(scope, id.name).constant = { kind: "new", className: value.callee.name, scope };
  }
}

/** `globalThis.Date.now` → root `globalThis`, path `["Date","now"]`; `undefined` for anything that isn't such a chain. */
function memberChain(init: Node): { root: string; path: string[] } | undefined {
  const path: string[] = [];
  let node = unwrap(init);
  while (node.type === "MemberExpression" || node.type === "OptionalMemberExpression") {
    const key = staticKey(node.property, node.computed);
    if (key === undefined) return undefined;
    path.unshift(key);
    node = unwrap(node.object);
  }
  return node.type === "Identifier" ? { root: node.name, path } : undefined;
}
