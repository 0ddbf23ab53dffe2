import type * as t from "@babel/types";
import {
  childKeys,
  endOf,
  isFunction,
  isNode,
  isTransparent,
  staticKey,
  type Bag,
  type Node,
} from "../parse/nodes.js";

/** Where the promise of a call goes when nothing may come to wait for it; see `Floating` for what is made of that. */
export interface Sink {
  /**
   * `dropped`: nowhere. `variable`: into a variable that may be read. `for-each`: it is awaited or returned, but in a
   * callback of `forEach`, which doesn't wait.
   */
  kind: "dropped" | "variable" | "for-each";
  /** The first of `then`, `catch` and `finally` that is called on it. */
  chained?: string;
  variable?: {
    name: string;
    /** End of the declarator or assignment. */
    end: number;
    /** A loop around it in the same function: what stands before it may come after it. */
    inLoop: boolean;
    inForEach: boolean;
  };
}

const CHAINS = new Set(["then", "catch", "finally"]);

/** Names of what settles a promise that was made elsewhere. */
const SETTLERS = new Set(["resolve", "reject"]);

/** Methods that put their arguments into their receiver, where somebody may find them. */
const KEEPERS = new Set(["push", "unshift", "add", "set", "append"]);

/**
 * Follows the promise of a call outwards: through casts, `&&`, `?:`, commas and `.then(…)`.
 *
 * @param call the call
 * @param ancestors its ancestors and more, nearest last
 * @param callIndex its own index among them
 */
export function sinkOf(call: Node, ancestors: readonly Node[], callIndex: number): Sink | undefined {
  let child = call;
  let index = callIndex - 1;
  let chained: string | undefined;
  for (; index >= 0; index--) {
    const parent = ancestors[index] as Node;
    const link = chainAt(child, parent, ancestors[index - 1]);
    if (link !== undefined) {
      if (settles(link.call.arguments)) return undefined;
      chained ??= link.method;
      index--;
      child = link.call;
      continue;
    }
    if (parent.type === "SequenceExpression" && parent.expressions[parent.expressions.length - 1] !== child) {
      return dropped(chained, ancestors, index);
    }
    if (!passesOn(child, parent)) break;
    child = parent;
  }
  const parent = ancestors[index];
  if (parent === undefined) return undefined;
  if (parent.type === "UnaryExpression" && parent.operator === "void") return undefined; // on purpose
  if (isStatement(child, parent)) return dropped(chained, ancestors, index);
  const inForEach = isInForEach(child, ancestors, index);
  const name = variableOf(child, parent, ancestors, index);
  if (name !== undefined) {
    const inLoop = isInLoop(ancestors, index);
    return {
      kind: "variable",
      variable: { name, end: endOf(parent), inLoop, inForEach },
      ...(chained === undefined ? {} : { chained }),
    };
  }
  return inForEach && !isKept(child, parent) ? { kind: "for-each" } : undefined;
}

function dropped(chained: string | undefined, ancestors: readonly Node[], index: number): Sink | undefined {
  if (chained === undefined) return { kind: "dropped" };
  // `new Promise((done) => { call().then(done); })`: what is waited for is the promise around it.
  return isInExecutor(ancestors, index) ? undefined : { kind: "dropped", chained };
}

/** `promise.then(…)`, seen from `promise`. */
function chainAt(
  child: Node,
  member: Node,
  call: Node | undefined,
): { method: string; call: t.CallExpression | t.OptionalCallExpression } | undefined {
  if (member.type !== "MemberExpression" && member.type !== "OptionalMemberExpression") return undefined;
  if (call?.type !== "CallExpression" && call?.type !== "OptionalCallExpression") return undefined;
  if (member.object !== child || call.callee !== member) return undefined;
  const method = staticKey(member.property, member.computed);
  return method !== undefined && CHAINS.has(method) ? { method, call } : undefined;
}

/** Whether a callback settles another promise, which somebody may wait for. */
function settles(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(settles);
  if (!isNode(value)) return false;
  if (value.type === "Identifier" && SETTLERS.has(value.name)) return true;
  return childKeys(value).some((key) => settles((value as unknown as Bag)[key]));
}

function passesOn(child: Node, parent: Node): boolean {
  return (
    isTransparent(parent) ||
    parent.type === "SequenceExpression" ||
    (parent.type === "LogicalExpression" && parent.right === child) ||
    (parent.type === "ConditionalExpression" && parent.test !== child)
  );
}

/** Whether an expression is evaluated for what it does alone. */
function isStatement(child: Node, parent: Node): boolean {
  return (
    parent.type === "ExpressionStatement" ||
    (parent.type === "ForStatement" && (parent.init === child || parent.update === child))
  );
}

/** `const a = call();` and `a = call();`, where the value of the assignment itself isn't used. */
function variableOf(
  child: Node,
  parent: Node,
  ancestors: readonly Node[],
  index: number,
): string | undefined {
  if (parent.type === "VariableDeclarator") {
    const declaration = ancestors[index - 1];
    const isPlain =
      declaration?.type === "VariableDeclaration" && /^(?:const|let|var)$/.test(declaration.kind);
    // `export const` of a namespace is seen from outside; at the top level the list of exports tells.
    const outside =
      ancestors[index - 2]?.type === "ExportNamedDeclaration" && ancestors[index - 3]?.type !== "Program";
    return isPlain && !outside && parent.id.type === "Identifier" ? parent.id.name : undefined;
  }
  if (parent.type !== "AssignmentExpression" || parent.operator !== "=" || parent.right !== child)
    return undefined;
  const around = ancestors[index - 1];
  const isAlone = around !== undefined && isStatement(parent, around);
  return isAlone && parent.left.type === "Identifier" ? parent.left.name : undefined;
}

function isInLoop(ancestors: readonly Node[], from: number): boolean {
  for (let index = from - 1; index >= 0; index--) {
    const { type } = ancestors[index] as Node;
    if (isFunction(ancestors[index] as Node)) return false;
    if (/^(?:For|While|DoWhile)/.test(type)) return true;
  }
  return false;
}

/** Whether a value stands in a callback of `forEach` that waits for it or returns it: nobody gets that promise. */
function isInForEach(child: Node, ancestors: readonly Node[], from: number): boolean {
  for (let index = from; index > 0; index--) {
    const fn = ancestors[index] as Node;
    if (!isFunction(fn)) continue;
    const call = ancestors[index - 1] as Node;
    if (call.type !== "CallExpression" || call.callee.type !== "MemberExpression") return false;
    if (staticKey(call.callee.property, call.callee.computed) !== "forEach") return false;
    const isReturned = index === from ? fn.body === child : ancestors[from]?.type === "ReturnStatement";
    return fn.async === true || isReturned;
  }
  return false;
}

/** Whether a value is put where something else may wait for it. */
function isKept(child: Node, parent: Node): boolean {
  if (parent.type === "AssignmentExpression") return parent.right === child;
  if (parent.type !== "CallExpression" || parent.callee === child) return false;
  const { callee } = parent;
  if (callee.type !== "MemberExpression") return false;
  return KEEPERS.has(staticKey(callee.property, callee.computed) ?? "");
}

function isInExecutor(ancestors: readonly Node[], from: number): boolean {
  return ancestors.slice(0, from).some((node, index) => {
    const around = ancestors[index - 1];
    return (
      isFunction(node) &&
      around?.type === "NewExpression" &&
      around.callee.type === "Identifier" &&
      around.callee.name === "Promise"
    );
  });
}
