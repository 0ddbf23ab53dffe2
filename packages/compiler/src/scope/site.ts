import { endOf, isTransparent, startOf, staticKey, type Node } from "../parse/nodes.js";
import type { Site } from "./scope.js";
import { sinkOf } from "./sink.js";
import { valueShapes } from "./values.js";

/** Methods that change their receiver. Anything else that is called on it may, too, but isn't known to. */
const MUTATORS = new Set([
  "push",
  "pop",
  "shift",
  "unshift",
  "splice",
  "sort",
  "reverse",
  "fill",
  "copyWithin",
  "set",
  "add",
  "delete",
  "clear",
  "append",
]);

/** Functions whose first argument is what they change: `Object.assign(target, …)`. */
const CHANGERS = new Set([
  "Object.assign",
  "Object.defineProperty",
  "Object.defineProperties",
  "Object.freeze",
  "Object.seal",
  "Object.preventExtensions",
  "Object.setPrototypeOf",
  "Reflect.set",
  "Reflect.defineProperty",
  "Reflect.deleteProperty",
  "Reflect.setPrototypeOf",
]);

/**
 * Reads how a name is used from the nodes around it.
 *
 * @param node the identifier
 * @param ancestors its ancestors, nearest last
 */
export function readSite(node: Node, ancestors: readonly Node[]): Site {
  const site: Site = {
    path: [],
    use: "read",
    args: 0,
    start: startOf(node),
    end: endOf(node),
    calleeEnd: endOf(node),
    typeofOnly: false,
    writes: undefined,
    called: false,
    passed: false,
    aliased: false,
    sink: undefined,
    values: [],
  };
  let child = node;
  let index = ancestors.length - 1;
  let dynamic = false;

  // Up the member chain, as long as the name is the root of it.
  for (; index >= 0; index--) {
    const parent = ancestors[index] as Node;
    if (isTransparent(parent)) {
      child = parent;
      continue;
    }
    if (
      (parent.type === "MemberExpression" || parent.type === "OptionalMemberExpression") &&
      parent.object === child
    ) {
      const key = staticKey(parent.property, parent.computed);
      if (key === undefined) dynamic = true;
      else if (!dynamic) site.path.push(key);
      child = parent;
      site.end = endOf(parent);
      continue;
    }
    if (parent.type === "JSXMemberExpression" && parent.object === child) {
      site.path.push(parent.property.name);
      child = parent;
      continue;
    }
    break;
  }

  site.calleeEnd = site.end;
  const parent = index >= 0 ? (ancestors[index] as Node) : undefined;
  const member = child !== node && (site.path.length > 0 || dynamic);
  if (parent !== undefined) readParent(site, child, parent, ancestors, index, member);
  return site;
}

function readParent(
  site: Site,
  child: Node,
  parent: Node,
  ancestors: readonly Node[],
  index: number,
  member: boolean,
): void {
  switch (parent.type) {
    case "CallExpression":
    case "OptionalCallExpression":
    case "NewExpression":
      if (parent.callee === child) {
        site.use = parent.type === "NewExpression" ? "new" : "call";
        site.args = parent.arguments.length;
        site.end = endOf(parent);
        site.called = !member;
        if (site.use === "call") {
          site.sink = sinkOf(parent, ancestors, index);
          site.values = valueShapes(parent.arguments);
        }
        if (member && site.use === "call") {
          site.writes = MUTATORS.has(site.path[site.path.length - 1] ?? "") ? "mutate" : "call";
        }
      } else if (CHANGERS.has(dotted(parent.callee))) {
        if (parent.arguments[0] === child) site.writes = "mutate";
      } else {
        site.passed = true;
      }
      return;
    case "SpreadElement": {
      const call = ancestors[index - 1];
      site.passed = call?.type === "CallExpression" || call?.type === "NewExpression";
      return;
    }
    case "TaggedTemplateExpression":
      if (parent.tag === child) {
        site.use = "call";
        site.called = !member;
        if (member) site.writes = "call";
      }
      return;
    case "Decorator":
      site.called = !member;
      site.use = "call";
      return;
    case "UnaryExpression":
      if (parent.operator === "typeof" && !member) site.typeofOnly = true;
      if (parent.operator === "delete") site.writes = "assign";
      return;
    case "UpdateExpression":
      site.writes = "assign";
      return;
    case "AssignmentExpression":
      if (parent.left === child) site.writes = "assign";
      return;
    case "ForInStatement":
    case "ForOfStatement":
      if (parent.left === child) site.writes = "assign";
      return;
    case "RestElement":
    case "ArrayPattern":
      site.writes = "assign";
      return;
    case "AssignmentPattern":
      if (parent.left === child) site.writes = "assign";
      return;
    case "ObjectProperty":
      if (parent.value === child && ancestors[index - 1]?.type === "ObjectPattern") site.writes = "assign";
      return;
    case "VariableDeclarator": {
      const declaration = ancestors[index - 1];
      site.aliased =
        parent.init === child && declaration?.type === "VariableDeclaration" && declaration.kind === "const";
      return;
    }
    default:
      return;
  }
}

function dotted(node: Node): string {
  if (node.type !== "MemberExpression" || node.object.type !== "Identifier") return "";
  return `${node.object.name}.${staticKey(node.property, node.computed) ?? ""}`;
}
