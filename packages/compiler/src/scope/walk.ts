import type * as t from "@babel/types";
import { childKeys, endOf, isNode, startOf, type Bag, type Node } from "../parse/nodes.js";
import { walkClass, walkFunction, walkMethod } from "./functions.js";
import { createScope, declare, lookup, type Reference, type Scope, type Site } from "./scope.js";
import { readSite } from "./site.js";
import { walkStructure } from "./structure.js";
import type { Walker, WalkHooks } from "./walker.js";

/** What a walk gives: the module's scope, and every name in a value position, in source order. */
export interface Walked {
  module: Scope;
  references: Reference[];
}

/** Value-bearing TypeScript nodes; every other `TS…` node is erased and never looked into. */
const TS_VALUES = new Set([
  "TSAsExpression",
  "TSSatisfiesExpression",
  "TSNonNullExpression",
  "TSTypeAssertion",
  "TSInstantiationExpression",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
  "TSParameterProperty",
  "TSImportEqualsDeclaration",
  "TSExternalModuleReference",
  "TSExportAssignment",
]);

/** The site of a name that is known to be local. */
const LOCAL: Site = {
  path: [],
  use: "read",
  args: 0,
  start: 0,
  end: 0,
  calleeEnd: 0,
  typeofOnly: false,
  writes: undefined,
  called: false,
  passed: false,
  aliased: false,
  sink: undefined,
  values: [],
};

/**
 * Walks a module once: builds its scopes and collects every name in a value position. References are resolved by the
 * caller afterwards, when all declarations are known, so that hoisting and use before declaration need no care here.
 *
 * Type positions declare nothing and use nothing. Duplicate declarations (overloads, merged namespaces, invalid code)
 * are one binding.
 */
export function walkModule(program: t.Program, hooks: WalkHooks): Walked {
  const module = createScope(undefined, true, 0);
  const references: Reference[] = [];
  const walker: Walker = {
    ancestors: [program],
    scope: module,
    unit: 0,
    depth: 0,
    deferred: false,
    visit(node) {
      if (!isNode(node)) return;
      if (node.type.startsWith("TS") && !TS_VALUES.has(node.type)) return;
      if ((node as { declare?: boolean }).declare === true) return;
      const outer = walker.unit;
      walker.unit = hooks.unitOf(node) ?? outer;
      hooks.enter(node, walker);
      dispatch(walker, node);
      walker.unit = outer;
    },
    children(node) {
      for (const key of childKeys(node)) {
        const value = (node as unknown as Bag)[key];
        if (Array.isArray(value)) for (const item of value) walker.visit(item);
        else walker.visit(value);
      }
    },
    inside(node, run) {
      walker.ancestors.push(node);
      run();
      walker.ancestors.pop();
    },
    within(scope, run) {
      const outer = walker.scope;
      walker.scope = scope;
      run();
      walker.scope = outer;
    },
    enter: (node) => hooks.enter(node, walker),
    refer: (node, name) => void references.push(referenceTo(walker, node, name)),
  };

  program.directives.forEach(walker.visit);
  program.body.forEach((statement, index) => {
    walker.unit = index;
    walker.visit(statement);
  });
  return { module, references };
}

function dispatch(walker: Walker, node: Node): void {
  switch (node.type) {
    case "Identifier":
      walker.refer(node, node.name);
      return;
    case "JSXIdentifier":
      // Lower-case element names are strings to the JSX runtime, upper-case ones are names in scope.
      if (isJsxReference(node, walker.ancestors)) walker.refer(node, node.name);
      return;
    case "FunctionDeclaration":
      if (node.id) declare(walker.scope, node.id.name);
      walkFunction(walker, node);
      return;
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      walkFunction(walker, node);
      return;
    case "ObjectMethod":
    case "ClassMethod":
    case "ClassPrivateMethod":
      walkMethod(walker, node);
      return;
    case "ClassDeclaration":
      if (node.id) declare(walker.scope, node.id.name);
      walkClass(walker, node);
      return;
    case "ClassExpression":
      walkClass(walker, node);
      return;
    default:
      walker.ancestors.push(node);
      walkStructure(walker, node);
      walker.ancestors.pop();
  }
}

function referenceTo(walker: Walker, node: Node, name: string): Reference {
  const { scope, unit, deferred, ancestors } = walker;
  // A name that an inner scope binds stays local whatever is declared later; how it is used doesn't matter then.
  const known = lookup(scope, name);
  const isLocal = known !== undefined && !known.top;
  const isPlain = isLocal && known.alias === undefined && known.context === undefined;
  const site = isPlain ? LOCAL : readSite(node, ancestors);
  const role = roleOf(node, ancestors);
  return { name, start: startOf(node), end: endOf(node), scope, unit, deferred, role, site };
}

function roleOf(node: Node, ancestors: readonly Node[]): Reference["role"] {
  const parent = ancestors[ancestors.length - 1];
  if (parent?.type === "AwaitExpression") return "await";
  const isWrite = parent?.type === "AssignmentExpression" && parent.operator === "=" && parent.left === node;
  return isWrite ? "write" : "read";
}

function isJsxReference(node: t.JSXIdentifier, ancestors: readonly Node[]): boolean {
  const parent = ancestors[ancestors.length - 1];
  if (parent?.type === "JSXMemberExpression") return parent.object === node && node.name !== "this";
  if (parent?.type === "JSXOpeningElement" || parent?.type === "JSXClosingElement") {
    return parent.name === node && !/^[a-z]|-/.test(node.name);
  }
  return false;
}
