import type * as t from "@babel/types";
import { declarationOf, unwrap, type Node } from "../parse/nodes.js";
import { patternNames } from "../scope/patterns.js";

/** Variables that may hold state: everything but functions and constants with a primitive value. */
export function stateNames(node: Node): string[] {
  if (node.type !== "VariableDeclaration") return [];
  const names: string[] = [];
  for (const { id, init } of node.declarations) {
    if (id.type !== "Identifier") patternNames(id, (name) => names.push(name));
    else if (node.kind !== "const" || !init || !isStateless(init)) names.push(id.name);
  }
  return names;
}

function isStateless(init: Node): boolean {
  const { type } = unwrap(init);
  return /^(?:(?:String|Numeric|Boolean|Null|BigInt|RegExp|Template)Literal|FunctionExpression|ArrowFunctionExpression)$/.test(
    type,
  );
}

/** Whether evaluating a statement can do anything besides creating bindings. */
export function hasEffects(statement: Node): boolean {
  const node = declarationOf(statement);
  switch (node.type) {
    case "ImportDeclaration":
      return node.specifiers.length === 0;
    case "VariableDeclaration":
      return node.declarations.some(
        ({ id, init }) => id.type !== "Identifier" || (init ? !isInert(init) : false),
      );
    case "ClassDeclaration":
      return !isInertClass(node);
    case "FunctionDeclaration":
    case "TSEnumDeclaration":
    case "TSDeclareFunction":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
    case "ExportAllDeclaration":
    case "ExportNamedDeclaration":
    case "EmptyStatement":
      return false;
    default:
      return statement.type === "ExportDefaultDeclaration" ? !isInert(node) : true;
  }
}

function isInert(expression: Node): boolean {
  const node = unwrap(expression);
  switch (node.type) {
    case "StringLiteral":
    case "NumericLiteral":
    case "BooleanLiteral":
    case "NullLiteral":
    case "BigIntLiteral":
    case "RegExpLiteral":
    case "Identifier":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "UnaryExpression":
      return node.operator !== "delete" && isInert(node.argument);
    case "ClassExpression":
      return isInertClass(node);
    case "ArrayExpression":
      return node.elements.every((element) => element === null || isInert(element));
    case "ObjectExpression":
      return node.properties.every((property) => {
        if (property.type === "SpreadElement" || property.computed) return false;
        return property.type === "ObjectMethod" || isInert(property.value);
      });
    default:
      return false;
  }
}

function isInertClass(node: t.ClassDeclaration | t.ClassExpression): boolean {
  if (node.superClass || (node.decorators ?? []).length > 0) return false;
  return node.body.body.every((member) => {
    if (member.type === "StaticBlock") return false;
    if ("decorators" in member && (member.decorators ?? []).length > 0) return false;
    if ("computed" in member && member.computed === true) return false;
    return !("value" in member && member.static === true && member.value && !isInert(member.value));
  });
}
