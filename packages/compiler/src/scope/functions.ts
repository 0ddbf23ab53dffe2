import type * as t from "@babel/types";
import { isTransparent, startOf, type FunctionNode, type Node } from "../parse/nodes.js";
import { walkPattern } from "./patterns.js";
import { declareContext } from "./context.js";
import { createScope, declare } from "./scope.js";
import type { Walker } from "./walker.js";

/** Walks a function; its name, when it is a declaration, is declared by the caller. */
export function walkFunction(walker: Walker, node: FunctionNode): void {
  const { deferred } = walker;
  walker.deferred = deferred || !mayRunNow(node, walker.ancestors);
  walker.depth++;
  const outside = createScope(walker.scope, false, startOf(node));
  if (node.type === "FunctionExpression" && node.id) declare(outside, node.id.name);
  const params = createScope(outside, true, startOf(node));
  if (node.type !== "ArrowFunctionExpression") declare(params, "arguments");
  walker.inside(node, () => {
    walker.within(params, () => {
      for (const param of node.params) walkPattern(walker, param, params);
      declareContext(params, node);
      const { body } = node;
      if (body.type !== "BlockStatement") {
        walker.visit(body);
        return;
      }
      // The body has a scope of its own: a default doesn't see its variables.
      walker.enter(body);
      walker.inside(body, () => {
        walker.within(createScope(params, true, startOf(node)), () => walker.children(body));
      });
    });
  });
  walker.depth--;
  walker.deferred = deferred;
}

/** A method of an object or class: decorators and a computed key belong to the outside. */
export function walkMethod(
  walker: Walker,
  node: t.ObjectMethod | t.ClassMethod | t.ClassPrivateMethod,
): void {
  walker.inside(node, () => {
    node.decorators?.forEach(walker.visit);
    if (node.type !== "ClassPrivateMethod" && node.computed) walker.visit(node.key);
  });
  walkFunction(walker, node);
}

export function walkClass(walker: Walker, node: t.ClassDeclaration | t.ClassExpression): void {
  walker.inside(node, () => {
    node.decorators?.forEach(walker.visit);
    const inner = createScope(walker.scope, false, startOf(node));
    if (node.id) declare(inner, node.id.name);
    walker.within(inner, () => {
      walker.visit(node.superClass);
      walker.enter(node.body);
      walker.inside(node.body, () => node.body.body.forEach(walker.visit));
    });
  });
}

/** Values of static fields are evaluated with the class, those of others with each instance. */
export function walkField(
  walker: Walker,
  node: t.ClassProperty | t.ClassPrivateProperty | t.ClassAccessorProperty,
): void {
  node.decorators?.forEach(walker.visit);
  if (node.type !== "ClassPrivateProperty" && node.computed) walker.visit(node.key);
  const { deferred } = walker;
  walker.deferred = deferred || !node.static;
  const inner = createScope(walker.scope, true, startOf(node));
  declare(inner, "arguments");
  walker.within(inner, () => walker.visit(node.value));
  walker.deferred = deferred;
}

/** A function that is called on the spot or handed to a call may run while its surroundings do. */
function mayRunNow(node: Node, ancestors: readonly Node[]): boolean {
  let child = node;
  for (let index = ancestors.length - 1; index >= 0; index--) {
    const parent = ancestors[index] as Node;
    if (isTransparent(parent)) {
      child = parent;
      continue;
    }
    if (
      parent.type === "CallExpression" ||
      parent.type === "OptionalCallExpression" ||
      parent.type === "NewExpression"
    ) {
      return parent.callee === child || parent.arguments.some((argument) => argument === child);
    }
    return false;
  }
  return false;
}
