import type * as t from "@babel/types";
import { isFunction, isTransparent, staticKey, type FunctionNode, type Node } from "../parse/nodes.js";
import type { Misplacement } from "../rules/index.js";

/** Whether a function is a declaration at the top level of the module, exported or not. */
export function isTopLevelDeclaration(
  fn: FunctionNode,
  ancestors: readonly Node[],
): fn is t.FunctionDeclaration {
  if (fn.type !== "FunctionDeclaration") return false;
  const parent = ancestors[ancestors.length - 1];
  if (parent?.type === "Program") return true;
  const exported = parent?.type === "ExportNamedDeclaration" || parent?.type === "ExportDefaultDeclaration";
  return exported && ancestors[ancestors.length - 2]?.type === "Program";
}

/**
 * Says what kind of place a function stands in that can't carry a directive.
 *
 * @param captures names of surrounding functions that the function uses
 * @param isStray whether a call defines a workflow tool that isn't the module's default export
 */
export function misplacementOf(
  fn: FunctionNode | undefined,
  ancestors: readonly Node[],
  captures: string[],
  isStray: (call: Node) => boolean,
): Misplacement {
  if (fn === undefined) return outsideFunctions(ancestors);
  if (isInDefinition(fn, ancestors, isStray)) return { place: "stray-tool" };
  if (fn.type === "ClassMethod" || fn.type === "ClassPrivateMethod") {
    if (fn.kind === "get" || fn.kind === "set") return { place: "accessor" };
    const member = fn.type === "ClassPrivateMethod" ? `#${fn.key.id.name}` : staticKey(fn.key, fn.computed);
    return { place: "class", member, private: usesPrivate(fn) };
  }
  if (ancestors.some(isFunction)) return { place: "nested", captures };
  if (fn.type === "ObjectMethod") {
    if (fn.kind !== "method") return { place: "accessor" };
    return {
      place: "object",
      member: staticKey(fn.key, fn.computed),
      spread: isEntryName(staticKey(fn.key, fn.computed)),
    };
  }
  const { parent, grandparent } = holder(fn, ancestors);
  switch (parent?.type) {
    case "VariableDeclarator":
      return { place: "constant", name: parent.id.type === "Identifier" ? parent.id.name : undefined };
    case "AssignmentExpression":
      return { place: "constant", name: undefined };
    case "ObjectProperty": {
      const member = staticKey(parent.key, parent.computed);
      return grandparent?.type === "ObjectPattern"
        ? { place: "constant", name: undefined }
        : { place: "object", member, spread: isEntryName(member) };
    }
    case "ClassProperty":
    case "ClassPrivateProperty":
    case "ClassAccessorProperty":
      return { place: "class", member: undefined, private: usesPrivate(fn) };
    case "CallExpression":
    case "OptionalCallExpression":
    case "NewExpression":
      return { place: "callback" };
    default:
      break;
  }
  if (ancestors.some((node) => node.type === "TSModuleBlock")) return { place: "namespace" };
  if (fn.type === "FunctionDeclaration") return { place: "block" };
  return { place: "constant", name: undefined };
}

/** Whether a function stands where the entry point of a workflow tool does. */
function isInDefinition(
  fn: FunctionNode,
  ancestors: readonly Node[],
  isStray: (call: Node) => boolean,
): boolean {
  const around = ancestors.filter((node) => !isTransparent(node));
  const property = fn.type === "ObjectMethod" ? fn : around.pop();
  if (property?.type !== "ObjectMethod" && property?.type !== "ObjectProperty") return false;
  if (!isEntryName(staticKey(property.key, property.computed))) return false;
  const [call, object] = around.slice(-2);
  return object?.type === "ObjectExpression" && call !== undefined && isStray(call);
}

function outsideFunctions(ancestors: readonly Node[]): Misplacement {
  if (ancestors.some((node) => node.type === "TSModuleBlock")) return { place: "namespace" };
  if (ancestors.some((node) => node.type === "StaticBlock"))
    return { place: "class", member: "static", private: false };
  return { place: "module" };
}

function holder(
  fn: Node,
  ancestors: readonly Node[],
): { parent: Node | undefined; grandparent: Node | undefined } {
  for (let index = ancestors.length - 1; index >= 0; index--) {
    const node = ancestors[index] as Node;
    if (!isTransparent(node)) return { parent: node, grandparent: ancestors[index - 1] };
  }
  return { parent: undefined, grandparent: undefined };
}

function isEntryName(name: string | undefined): boolean {
  return name === "execute" || name === "task" || name === "serve";
}

function usesPrivate(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  if (Array.isArray(node)) return node.some(usesPrivate);
  if ((node as { type?: unknown }).type === "PrivateName") return true;
  return Object.entries(node).some(
    ([key, value]) => key !== "loc" && typeof value === "object" && usesPrivate(value),
  );
}
