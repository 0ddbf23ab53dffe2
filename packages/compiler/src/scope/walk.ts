import type * as t from "@babel/types";
import {
  childKeys,
  endOf,
  isFunction,
  isNode,
  isTransparent,
  startOf,
  staticKey,
  unwrap,
} from "../parse/nodes.js";
import type { Bag, FunctionNode, Node } from "../parse/nodes.js";
import {
  createScope,
  declare,
  lookup,
  mergedMembers,
  patternNames,
  type Reference,
  type Scope,
  type Site,
} from "./scope.js";
import { readSite } from "./site.js";

/** What a walk over a module hands to its caller, besides the references it collects. */
export interface WalkHooks {
  /** Unit that a node starts (an inline entry point), when it isn't the one of the surrounding statement. */
  unitOf(node: Node): number | undefined;
  /** Called for every node in a value position, before its children. `ancestors` is only valid during the call. */
  enter(node: Node, context: WalkContext): void;
}

export interface WalkContext {
  ancestors: readonly Node[];
  unit: number;
  /** Number of functions around the node. */
  depth: number;
  deferred: boolean;
}

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
  typeofOnly: false,
  writes: undefined,
  called: false,
  passed: false,
  aliased: false,
  floating: false,
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
  const ancestors: Node[] = [];
  let scope = module;
  let unit = 0;
  let depth = 0;
  let deferred = false;
  const context: WalkContext = { ancestors, unit: 0, depth: 0, deferred: false };

  function refer(node: Node, name: string): void {
    // A name that an inner scope binds stays local whatever is declared later; how it is used doesn't matter then.
    const known = lookup(scope, name);
    const local = known !== undefined && !known.top && known.alias === undefined;
    references.push({
      name,
      start: startOf(node),
      end: endOf(node),
      scope,
      unit,
      deferred,
      site: local ? LOCAL : readSite(node, ancestors),
    });
  }

  function within(inner: Scope, run: () => void): void {
    const outer = scope;
    scope = inner;
    run();
    scope = outer;
  }

  function children(node: Node, except?: string): void {
    for (const key of childKeys(node)) {
      if (key === except) continue;
      const value = (node as unknown as Bag)[key];
      if (Array.isArray(value)) for (const item of value) visit(item);
      else if (isNode(value)) visit(value);
    }
  }

  function block(node: Node, hoists = false): void {
    within(createScope(scope, hoists, startOf(node)), () => children(node));
  }

  /** Declares the names of a pattern, then visits the defaults and computed keys in it. */
  function pattern(node: Node, into: Scope): void {
    patternNames(node, (name) => declare(into, name));
    patternExpressions(node);
  }

  function patternExpressions(node: Node): void {
    switch (node.type) {
      case "Identifier":
        for (const decorator of node.decorators ?? []) visit(decorator);
        return;
      case "AssignmentPattern":
        patternExpressions(node.left);
        ancestors.push(node);
        visit(node.right);
        ancestors.pop();
        return;
      case "ObjectPattern":
        for (const property of node.properties) {
          if (property.type === "RestElement") continue;
          if (property.computed) visit(property.key);
          patternExpressions(property.value);
        }
        return;
      case "ArrayPattern":
        for (const element of node.elements) if (element) patternExpressions(element);
        return;
      case "RestElement":
        patternExpressions(node.argument);
        return;
      case "TSParameterProperty":
        for (const decorator of node.decorators ?? []) visit(decorator);
        patternExpressions(node.parameter);
        return;
      default:
        return;
    }
  }

  function functionNode(node: FunctionNode): void {
    const wasDeferred = deferred;
    deferred = wasDeferred || !mayRunNow(node, ancestors);
    depth++;
    const outside = createScope(scope, false, startOf(node));
    if (node.type === "FunctionExpression" && node.id) declare(outside, node.id.name);
    ancestors.push(node);
    within(outside, () => {
      const params = createScope(scope, true, startOf(node));
      if (node.type !== "ArrowFunctionExpression") declare(params, "arguments");
      within(params, () => {
        for (const param of node.params) pattern(param, params);
        if (node.body.type === "BlockStatement") {
          const body = node.body;
          enter(body);
          ancestors.push(body);
          within(createScope(scope, true, startOf(node)), () => children(body));
          ancestors.pop();
        } else visit(node.body);
      });
    });
    ancestors.pop();
    depth--;
    deferred = wasDeferred;
  }

  function enter(node: Node): void {
    context.unit = unit;
    context.depth = depth;
    context.deferred = deferred;
    hooks.enter(node, context);
  }

  function visit(node: unknown): void {
    if (!isNode(node)) return;
    if (node.type.startsWith("TS") && !TS_VALUES.has(node.type)) return;
    if ((node as { declare?: boolean }).declare === true) return;
    const own = hooks.unitOf(node);
    const outer = unit;
    if (own !== undefined) unit = own;
    enter(node);
    visitKnown(node);
    unit = outer;
  }

  function visitKnown(node: Node): void {
    switch (node.type) {
      case "Identifier":
        refer(node, node.name);
        return;
      case "JSXIdentifier":
        // Lower-case element names are strings to the JSX runtime, upper-case ones are names in scope.
        if (jsxReference(node, ancestors)) refer(node, node.name);
        return;
      case "FunctionDeclaration":
        if (node.id) declare(scope, node.id.name);
        functionNode(node);
        return;
      case "FunctionExpression":
      case "ArrowFunctionExpression":
        functionNode(node);
        return;
      case "ObjectMethod":
      case "ClassMethod":
      case "ClassPrivateMethod":
        ancestors.push(node);
        for (const decorator of node.decorators ?? []) visit(decorator);
        if (node.type !== "ClassPrivateMethod" && node.computed) visit(node.key);
        ancestors.pop();
        functionNode(node);
        return;
      case "ClassDeclaration":
        if (node.id) declare(scope, node.id.name);
        classNode(node);
        return;
      case "ClassExpression":
        classNode(node);
        return;
      default:
        ancestors.push(node);
        visitStructure(node);
        ancestors.pop();
    }
  }

  function classNode(node: t.ClassDeclaration | t.ClassExpression): void {
    ancestors.push(node);
    for (const decorator of node.decorators ?? []) visit(decorator);
    const inner = createScope(scope, false, startOf(node));
    if (node.id) declare(inner, node.id.name);
    within(inner, () => {
      visit(node.superClass);
      enter(node.body);
      ancestors.push(node.body);
      for (const member of node.body.body) visit(member);
      ancestors.pop();
    });
    ancestors.pop();
  }

  function field(node: t.ClassProperty | t.ClassPrivateProperty | t.ClassAccessorProperty): void {
    for (const decorator of node.decorators ?? []) visit(decorator);
    if (node.type !== "ClassPrivateProperty" && node.computed) visit(node.key);
    const wasDeferred = deferred;
    deferred = wasDeferred || !node.static;
    within(createScope(scope, true, startOf(node)), () => {
      declare(scope, "arguments");
      visit(node.value);
    });
    deferred = wasDeferred;
  }

  /** Nodes that open scopes, declare names, or hold names that are no references. */
  function visitStructure(node: Node): void {
    switch (node.type) {
      case "VariableDeclaration": {
        const into = node.kind === "var" ? scope.hoist : scope;
        for (const declarator of node.declarations) {
          ancestors.push(declarator);
          pattern(declarator.id, into);
          visit(declarator.init);
          ancestors.pop();
          if (node.kind === "const" && declarator.init) aliases(declarator.id, declarator.init);
        }
        return;
      }
      case "MemberExpression":
      case "OptionalMemberExpression":
        visit(node.object);
        if (node.computed) visit(node.property);
        return;
      case "ObjectProperty":
        if (node.computed) visit(node.key);
        visit(node.value);
        return;
      case "ClassProperty":
      case "ClassPrivateProperty":
      case "ClassAccessorProperty":
        field(node);
        return;
      case "StaticBlock":
        block(node, true);
        return;
      case "BlockStatement":
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
        block(node);
        return;
      case "SwitchStatement":
        visit(node.discriminant);
        within(createScope(scope, false, startOf(node)), () => node.cases.forEach(visit));
        return;
      case "CatchClause":
        within(createScope(scope, false, startOf(node)), () => {
          if (node.param) pattern(node.param, scope);
          visit(node.body);
        });
        return;
      case "LabeledStatement":
        visit(node.body);
        return;
      case "BreakStatement":
      case "ContinueStatement":
      case "ImportAttribute":
      case "MetaProperty":
      case "ExportAllDeclaration":
        return;
      case "ImportDeclaration":
        for (const specifier of node.specifiers) {
          const type = specifier.type === "ImportSpecifier" && specifier.importKind === "type";
          if (node.importKind !== "type" && !type) declare(scope, specifier.local.name);
        }
        return;
      case "ExportNamedDeclaration":
        // The names of `export { a }` are read from the statement itself: they are no uses in a unit.
        visit(node.declaration);
        return;
      case "JSXAttribute":
        visit(node.value);
        return;
      case "JSXMemberExpression":
        visit(node.object);
        return;
      case "TSEnumDeclaration":
        enumNode(node);
        return;
      case "TSModuleDeclaration":
        namespaceNode(node);
        return;
      case "TSParameterProperty":
        return;
      case "TSImportEqualsDeclaration":
        if (node.importKind === "type") return;
        declare(scope, node.id.name);
        if (node.moduleReference.type !== "TSExternalModuleReference") entityName(node.moduleReference);
        return;
      default:
        children(node);
    }
  }

  function enumNode(node: t.TSEnumDeclaration): void {
    declare(scope, node.id.name);
    const members = mergedMembers(scope, node.id.name);
    const inner = createScope(scope, false, startOf(node));
    inner.shared = members;
    within(inner, () => {
      const list = node.members ?? [];
      for (const member of list) {
        const name = staticKey(member.id, false);
        if (name !== undefined) members.set(name, { name, top: false });
      }
      for (const member of list) visit(member.initializer);
    });
  }

  function namespaceNode(node: t.TSModuleDeclaration): void {
    // `declare module "x"`, `declare global` and augmentations leave nothing at run time.
    if (node.id.type !== "Identifier" || node.kind === "global" || !isInstantiated(node)) return;
    declare(scope, node.id.name);
    const members = mergedMembers(scope, node.id.name);
    const inner = createScope(scope, true, startOf(node));
    inner.shared = members;
    within(inner, () => {
      if (node.body.type !== "TSModuleBlock") {
        visit(node.body);
        return;
      }
      const block = node.body;
      enter(block);
      ancestors.push(block);
      for (const statement of block.body) {
        if (statement.type === "ExportNamedDeclaration" && statement.declaration) {
          declaredNames(statement.declaration, (name) => members.set(name, { name, top: false }));
        }
        visit(statement);
      }
      ancestors.pop();
    });
  }

  /** `import short = Some.Name.Space` */
  function entityName(node: t.TSEntityName): void {
    if (node.type === "Identifier") refer(node, node.name);
    else if (node.type === "TSQualifiedName") entityName(node.left);
  }

  function aliases(id: Node, init: Node): void {
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

  ancestors.push(program);
  for (const directive of program.directives) visit(directive);
  program.body.forEach((statement, index) => {
    unit = index;
    visit(statement);
  });
  return { module, references };
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

function jsxReference(node: t.JSXIdentifier, ancestors: readonly Node[]): boolean {
  const parent = ancestors[ancestors.length - 1];
  if (parent?.type === "JSXMemberExpression") return parent.object === node && node.name !== "this";
  if (parent?.type === "JSXOpeningElement" || parent?.type === "JSXClosingElement") {
    return parent.name === node && !/^[a-z]|-/.test(node.name);
  }
  return false;
}

/** Whether a namespace holds anything besides types. */
export function isInstantiated(node: t.TSModuleDeclaration): boolean {
  if (node.declare === true) return false;
  if (node.body.type !== "TSModuleBlock") return isInstantiated(node.body);
  return node.body.body.some((statement) => {
    const inner =
      statement.type === "ExportNamedDeclaration" ? (statement.declaration ?? statement) : statement;
    if ((inner as { declare?: boolean }).declare === true) return false;
    if (inner.type === "TSModuleDeclaration") return isInstantiated(inner);
    return inner.type !== "TSInterfaceDeclaration" && inner.type !== "TSTypeAliasDeclaration";
  });
}

/** Names that a declaration statement binds. */
export function declaredNames(node: Node, found: (name: string, node: Node) => void): void {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
    case "TSDeclareFunction":
      if (node.id) found(node.id.name, node.id);
      return;
    case "TSEnumDeclaration":
    case "TSImportEqualsDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      found(node.id.name, node.id);
      return;
    case "TSModuleDeclaration":
      if (node.id.type === "Identifier") found(node.id.name, node.id);
      return;
    case "VariableDeclaration":
      for (const declarator of node.declarations) patternNames(declarator.id, found);
      return;
    default:
      return;
  }
}

/** The nearest function around, by `ancestors`; `undefined` at the top level and in class static blocks. */
export function enclosingFunction(ancestors: readonly Node[]): FunctionNode | undefined {
  for (let index = ancestors.length - 1; index >= 0; index--) {
    const node = ancestors[index] as Node;
    if (isFunction(node)) return node;
    if (node.type === "StaticBlock" || node.type === "ClassProperty") return undefined;
  }
  return undefined;
}
